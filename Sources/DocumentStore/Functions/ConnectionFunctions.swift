import DocumentQuery
import GRDB

/// Everything that translated queries, and the indexes of a database, need of a connection.
enum ConnectionFunctions {
    static func register(_ db: GRDB.Database) throws {
        let registry = FunctionRegistry(db: db)
        for (name, function) in QueryFunctions.all { try registry.add(name, function: function) }
        try PathFunctions.register(registry)
        try FirstRowFunctions.register(registry)
        try ValueFunctions.register(registry)
        try AnyFunction.register(registry)
        try ArrayAggregate.register(registry)
        try ElementsTable.register(registry)
        try FullTextTokenizer.register(registry)
        try FullTextFunctions.register(registry)
        try QueryCollations.register(registry)
    }
}
