"""What SQL cannot do well: estimators as pure functions on frames, tested on simulated truth."""
