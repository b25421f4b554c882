/// `Fieldbook` for code that was written for Couchbase Lite 2.x: the configuration of a replicator is an object there that
/// is changed through a constant, certificates are those of Apple's Security framework, and resetting a checkpoint does
/// not throw.
///
/// New code imports `Fieldbook`. Both work on the same databases, and values of the one can be passed to the other; only
/// `ReplicatorConfiguration` is another type here.
@_exported import Fieldbook
