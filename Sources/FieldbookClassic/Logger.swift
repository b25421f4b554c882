import DocumentStore

/// The protocol of `Database.log.custom`, as Couchbase Lite 2.5 to 3.x names it. `Fieldbook` does not have this name, which
/// would make the `Logger` of swift-log ambiguous wherever both are imported.
public typealias Logger = Database.Logger
