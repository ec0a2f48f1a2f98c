//! Sentences of the contracts, each kept by every world that can.
