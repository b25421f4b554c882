import DocumentValues

/// The facts about the database that a translation needs.
package protocol QueryEnvironment {
    /// Another name of the default collection.
    var databaseName: String { get }
    /// The number of a collection's table; `nil` if there is no such collection.
    func collection(_ name: CollectionName) throws -> Int64?
    /// All that there are, for errors.
    func collectionNames() throws -> [CollectionName]
    /// `nil` if the collection has no full-text index of that name.
    func fullTextIndex(_ name: String, collection: Int64) throws -> FullTextTable?
    func arrayIndexes(collection: Int64) throws -> [ArrayIndexTable]
    func valueIndexes(collection: Int64) throws -> [TranslatedValueIndex]
}

/// An index of the elements of arrays as a statement uses it.
package struct ArrayIndexTable: Sendable, Hashable {
    /// Has `document`, the sequence of the document, and `c0`, `c1` … for the index's expressions.
    package let table: String
    package let index: TranslatedArrayIndex

    package init(table: String, index: TranslatedArrayIndex) {
        self.table = table
        self.index = index
    }
}

/// A full-text index as a statement uses it.
package struct FullTextTable: Sendable, Hashable {
    /// `index_3`
    package let table: String
    /// How its words are made.
    package let settings: WordSettings
    /// The names of its columns in MATCH.
    package let properties: [String]

    package init(table: String, settings: WordSettings, properties: [String]) {
        self.table = table
        self.settings = settings
        self.properties = properties
    }
}

/// A query as SQLite runs it.
package struct TranslatedQuery: Sendable {
    package struct Column: Sendable, Hashable {
        package let name: String
        package let kind: Kind
    }

    /// How the values of a column are to be read.
    package enum Kind: Sendable, Hashable {
        /// As `QueryValueCoding` writes them.
        case value
        /// 1 and 0 are true and false.
        case boolean
        /// The JSON text of a document.
        case document
    }

    /// The number of the parameter that is the time, in seconds since 1970: documents that have expired by then are not
    /// seen.
    package static let timeParameter = 1

    package let sql: String
    package let columns: [Column]
    /// The numbers that parameters have in the statement, from 2.
    package let parameters: [Name: Int]
    /// Those whose documents are read.
    package let collections: Set<Int64>
    /// Whether it may fail for any row, because of a document's content.
    package let mayFail: Bool
    /// `nil` for a query whose rows are not tested for being among the first.
    package let firstRows: FirstRowsParameter?

    /// The parameter through which `fb_may_be_first` and `fb_note_first` in the statement get their `FirstRows`, which finds
    /// out which rows cannot be among the first.
    package struct FirstRowsParameter: Sendable, Hashable {
        package let order: FirstRowsOrder
        package let number: Int
        /// The number of a parameter that only the sample has: a sequence, behind which those of its documents are.
        package let sampleNumber: Int
        package let collection: Int64
        /// A statement that notes the newest documents that fit the condition. It has the parameters of the query, too.
        package let sample: String
    }
}

/// Of expressions that are of no statement.
struct EmptyEnvironment: QueryEnvironment {
    var databaseName: String { "" }
    func collection(_ name: CollectionName) -> Int64? { nil }
    func collectionNames() -> [CollectionName] { [] }
    func fullTextIndex(_ name: String, collection: Int64) -> FullTextTable? { nil }
    func arrayIndexes(collection: Int64) -> [ArrayIndexTable] { [] }
    func valueIndexes(collection: Int64) -> [TranslatedValueIndex] { [] }
}
