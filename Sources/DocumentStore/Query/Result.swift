import DocumentValues
import Foundation
import Synchronization

/// A row of a query's results: its columns by their position or their name.
///
/// For a MISSING value, ``Fragment/exists`` is false in both ways. Columns without a name in the query are named `$1`, `$2`
/// ….
public final class Result: ArrayProtocol, DictionaryProtocol, Sequence, Sendable {
    let columns: ResultColumns
    private let row: ResultRow
    private let origin: ValueOrigin
    /// The values that were requested: a container is an object, which all callers share.
    private let nodes: Mutex<[Int: NodeValue]>

    init(_ row: ResultRow, columns: ResultColumns, origin: ValueOrigin) {
        self.row = row
        self.columns = columns
        self.origin = origin
        nodes = Mutex([:])
    }

    /// The number of columns, including MISSING ones.
    public var count: Int { columns.names.count }

    /// The names of the columns, in their order.
    public var keys: [String] { columns.names }

    /// The names of the columns.
    public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }

    /// The value of a column; it does not exist if it is MISSING or there is no such column.
    public subscript(index: Int) -> Fragment { Fragment(node(index)) }

    /// The value of a column; it does not exist if it is MISSING or there is no such column.
    public subscript(key: String) -> Fragment { Fragment(columns.index(of: key).flatMap { node($0) }) }

    /// The array; `nil` if there is none.
    public func array(at index: Int) -> ArrayObject? { self[index].array }

    /// The dictionary; `nil` if there is none.
    public func dictionary(at index: Int) -> DictionaryObject? { self[index].dictionary }

    /// The array; `nil` if there is none.
    public func array(forKey key: String) -> ArrayObject? { self[key].array }

    /// The dictionary; `nil` if there is none.
    public func dictionary(forKey key: String) -> DictionaryObject? { self[key].dictionary }

    private func node(_ index: Int) -> NodeValue? {
        guard row.values.indices.contains(index) else { return nil }
        return nodes.withLock { nodes in
            if let node = nodes[index] { return node }
            let node = row.values[index].json.map { NodeValue.json($0).shared(origin) }
            nodes[index] = node
            return node
        }
    }

    /// The values in the order of the columns, as ``DictionaryObject/toDictionary()`` has them; `NSNull` for MISSING.
    public func toArray() -> [Any] { row.values.map { $0.json.map { plain($0) } ?? NSNull() } }

    /// The values by their columns' names, without MISSING values. If two names are equal for Swift's `String`, the later
    /// column replaces the other; ``toJSON()`` has both.
    public func toDictionary() -> [String: Any] {
        var result: [String: Any] = [:]
        for (name, value) in zip(columns.names, row.values) {
            if let json = value.json { result[name] = plain(json) }
        }
        return result
    }

    private func plain(_ json: JSONValue) -> Any {
        ValueConversion.plain(NodeValue.json(json).shared(origin))
    }

    /// The values as a JSON object by their columns' names, without MISSING values.
    public func toJSON() -> String { String(decoding: json, as: UTF8.self) }

    var json: [UInt8] { row.json(columns) }

    /// The values in the order of the columns; `nil` for MISSING.
    package var columnValues: [JSONValue?] { row.values.map(\.json) }

    /// Decodes the row, or with `dataKey` only the value of that column, such as the whole document of `SELECT *`. A
    /// ``DocumentID`` gets the value of the column with its name.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` if a value does not fit the type, with its path.
    public func data<T: Decodable>(as type: T.Type, dataKey: String? = nil) throws -> T {
        var decoder = RowDecoder<T>(columns, dataKey: dataKey, origin: origin)
        return try decoder.decode(row)
    }
}

/// The columns of a result, which its rows share.
final class ResultColumns: Sendable {
    let names: [String]
    private let indexes: [Name: Int]
    /// `"name":`
    let jsonNames: [[UInt8]]

    init(_ names: [String]) {
        self.names = names
        indexes = Dictionary(names.enumerated().map { (Name($1), $0) }) { first, _ in first }
        jsonNames = names.map { name in
            var output: [UInt8] = []
            JSONWriter.appendString(name, to: &output)
            return output + [UInt8(ascii: ":")]
        }
    }

    func index(of name: String) -> Int? { indexes[Name(name)] }
}

extension ResultRow {
    /// A JSON object by the columns' names, without MISSING values.
    func json(_ columns: ResultColumns) -> [UInt8] {
        var output: [UInt8] = [UInt8(ascii: "{")]
        for (name, value) in zip(columns.jsonNames, values) where !value.isMissing {
            if output.count > 1 { output.append(UInt8(ascii: ",")) }
            output += name
            value.append(to: &output)
        }
        output.append(UInt8(ascii: "}"))
        return output
    }
}
