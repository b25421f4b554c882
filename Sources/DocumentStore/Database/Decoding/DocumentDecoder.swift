import DocumentValues
import Foundation

/// Makes values of types from the JSON of documents and rows, without a tree of it. Dates are ISO 8601 texts, `Data` is base64;
/// everything else is as in `JSONDecoder`, except that names of members are compared by their UTF-8, and that a `Bool` may be
/// the number 1 or 0, as the value of a comparison is in a row of a query.
///
/// One decoder serves all rows of a query: it uses the memory of the last row's layout again.
package struct DocumentDecoder {
    /// Types decode each other by nested calls, which take stack.
    package static let depth = StoreLimits.objectDepth

    private let userInfo: [CodingUserInfoKey: Any]
    private var memory = JSONLayout.Memory(expecting: 32)

    package init() { userInfo = [:] }

    /// - Parameter origin: the database from which blobs are read.
    init(_ origin: ValueOrigin?) { userInfo = origin.map { [ValueOrigin.key: $0] } ?? [:] }

    /// - Parameter id: the document's, for errors; a row of a query has none.
    /// - Throws: `StoreError` `.invalidParameter` where a value does not fit the type, with its path.
    package mutating func decode<T: Decodable>(_ type: T.Type, from json: [UInt8], id: String? = nil) throws -> T {
        try DocumentCoding.translating(id: id) {
            var layout = try layout(of: json)
            if layout.mayHaveLookAlikes { try LookAlikeMembers.refuse(in: json, of: id) }
            let value = try layout.value(type, at: 0)
            memory.takeBack(&layout)
            return value
        }
    }

    private mutating func layout(of json: [UInt8]) throws -> JSONLayout {
        do throws(JSONError) {
            return try JSONLayout(of: json, depth: Self.depth, memory: &memory, userInfo: userInfo)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
        }
    }
}
