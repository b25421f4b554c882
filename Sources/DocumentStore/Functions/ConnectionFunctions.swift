import DocumentQuery
import GRDB

/// Everything that translated queries, and the indexes of a database, need of a connection.
enum ConnectionFunctions {
    static func register(_ db: GRDB.Database) throws {
        let registry = FunctionRegistry(connection: db.sqliteConnection)
        try registerValues(registry)
        try ConnectionWork.register(registry)
        try ConditionFunction.register(registry)
        try FirstRowFunctions.register(registry)
        try ArrayAggregate.register(registry)
        try SumFunction.register(registry)
        try RowFingerprint.register(registry)
        try FullTextTokenizer.register(registry, in: db)
        try FullTextFunctions.register(registry, in: db)
    }

    /// What an expression over one document needs.
    static func registerValues(_ registry: FunctionRegistry) throws {
        for (name, function) in QueryFunctions.all { try registry.add(name, function: function) }
        try PathFunctions.register(registry)
        try ValueFunctions.register(registry)
        try AnyFunction.register(registry)
        try ElementsTable.register(registry)
        try QueryCollations.register(registry)
    }
}
