//! Paths that tokens name: `crate::a::b`, `super::{c, d as e}`, `self::f`.

use proc_macro2::{Delimiter, TokenTree};

/// A path within the crate.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// From the crate's root.
    pub(super) path: Vec<String>,
    /// From 1.
    pub(super) line: usize,
    /// The name that a `use` gives it; `None` for a glob and for paths in code.
    pub(super) imported_as: Option<String>,
}

/// All paths of tokens in a module whose own modules are `children`.
pub(super) fn all(tokens: &[TokenTree], module: &[String], children: &[String]) -> Vec<Named> {
    let mut scan = Scan {
        module,
        children,
        found: Vec::new(),
    };
    scan.tokens(tokens);
    scan.found
}

/// All identifiers of tokens, at any depth.
pub(super) fn identifiers(tokens: &[TokenTree], found: &mut Vec<(String, usize)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                identifiers(&inner, found);
            }
            TokenTree::Ident(ident) => found.push((ident.to_string(), line(token))),
            _ => {}
        }
    }
}

pub(super) fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn line(token: &TokenTree) -> usize {
    token.span().start().line
}

struct Scan<'a> {
    module: &'a [String],
    children: &'a [String],
    found: Vec<Named>,
}

impl Scan<'_> {
    fn tokens(&mut self, tokens: &[TokenTree]) {
        let mut n = 0;
        let mut in_use = false;
        while n < tokens.len() {
            let follows_path = n >= 2 && is_separator(&tokens[n - 2..n]);
            match &tokens[n] {
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.tokens(&inner);
                    n += 1;
                }
                TokenTree::Ident(word) if *word == "use" => {
                    in_use = true;
                    n += 1;
                }
                TokenTree::Ident(word) if !follows_path => {
                    n = match self.start(&word.to_string(), in_use) {
                        Some(start) => self.path(tokens, n + 1, start, in_use),
                        None => n + 1,
                    };
                }
                token => {
                    in_use &= !is_punct(token, ';');
                    n += 1;
                }
            }
        }
    }

    /// Start of a path that begins with this word, from the root.
    fn start(&self, word: &str, in_use: bool) -> Option<Vec<String>> {
        let parent = self.module.len().saturating_sub(1);
        match word {
            "crate" => Some(Vec::new()),
            "self" if in_use => Some(self.module.to_vec()),
            "super" => Some(self.module[..parent].to_vec()),
            // As in `pub use child::Name`.
            child if in_use && self.children.iter().any(|name| name == child) => {
                Some([self.module, &[child.to_owned()]].concat())
            }
            _ => None,
        }
    }

    /// Parses the rest of a path, from the token after its first word, and returns its end.
    fn path(&mut self, tokens: &[TokenTree], n: usize, start: Vec<String>, in_use: bool) -> usize {
        let mut n = n;
        let mut path = start;
        let mut glob = false;
        while tokens.len() > n + 2 && is_separator(&tokens[n..n + 2]) {
            match &tokens[n + 2] {
                TokenTree::Ident(word) if *word == "super" => drop(path.pop()),
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for part in inner.split(|token| is_punct(token, ',')) {
                        self.part(part, &path, in_use);
                    }
                    return n + 3;
                }
                token => glob = is_punct(token, '*'),
            }
            n += 3;
        }
        let alias = match tokens.get(n..n + 2) {
            Some([TokenTree::Ident(word), TokenTree::Ident(alias)]) if *word == "as" => {
                Some(alias.to_string())
            }
            _ => None,
        };
        let last = path.last().filter(|_| !glob).cloned();
        self.found.push(Named {
            line: line(&tokens[n - 1]),
            imported_as: alias.or(last).filter(|_| in_use),
            path,
        });
        n
    }

    /// One of the paths between the braces of a `use`.
    fn part(&mut self, tokens: &[TokenTree], before: &[String], in_use: bool) {
        let Some(first) = tokens.first() else { return };
        let own = match first {
            TokenTree::Ident(word) if *word != "self" => vec![word.to_string()],
            _ => Vec::new(),
        };
        self.path(tokens, 1, [before, &own].concat(), in_use);
    }
}

fn is_separator(tokens: &[TokenTree]) -> bool {
    tokens.iter().all(|token| is_punct(token, ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let tokens: Vec<TokenTree> = text
            .parse::<proc_macro2::TokenStream>()
            .unwrap()
            .into_iter()
            .collect();
        let found = all(
            &tokens,
            &["a".to_owned(), "b".to_owned()],
            &["d".to_owned()],
        );
        let text = |named: Named| {
            let path = named.path.join("::");
            named
                .imported_as
                .map_or(path.clone(), |name| format!("{path} as {name}"))
        };
        found.into_iter().map(text).collect()
    }

    #[test]
    fn declarations_of_use_are_taken_apart() {
        let found =
            paths("use crate::x::{self, y::{Z, W as V}, u::*}; use std::mem; pub use d::E;");
        let expected = [
            "x as x",
            "x::y::Z as Z",
            "x::y::W as V",
            "x::u",
            "a::b::d::E as E",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn paths_in_code_are_found_at_any_depth() {
        let found =
            paths("fn f() { g(vec![super::h(crate::MOST)]); self.k(); super::super::m::n() }");
        assert_eq!(found, ["a::h", "MOST", "m::n"]);
    }
}
