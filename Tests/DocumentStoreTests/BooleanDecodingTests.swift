import DocumentValues
import Foundation
import Testing

@testable import DocumentStore

/// A comparison is 1 or 0 as a column with an alias, so a member of the type `Bool` may be one of these numbers.
@Suite struct BooleanDecodingTests {
    private struct Row: Codable, Equatable {
        let open: Bool
        let late: Bool?
    }

    /// Finds out what a value is, as types for any JSON do.
    private enum AnyScalar: Decodable, Equatable {
        case bool(Bool)
        case number(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do { self = .bool(try container.decode(Bool.self)) } catch is DecodingError {
                self = .number(try container.decode(Int.self))
            }
        }
    }

    private func decode<T: Decodable>(_ type: T.Type, from json: String) throws -> T {
        var decoder = DocumentDecoder()
        return try decoder.decode(type, from: Array(json.utf8))
    }

    @Test(arguments: [("1", true), ("0", false), ("1.0", true), ("-0.0", false), ("100e-2", true), ("true", true)])
    func oneAndZeroAreBooleans(number: String, value: Bool) throws {
        #expect(try decode(Row.self, from: #"{"open":\#(number)}"#) == Row(open: value, late: nil))
        #expect(try decode(Row.self, from: #"{"open":false,"late":\#(number)}"#) == Row(open: false, late: value))
        #expect(try decode([Bool].self, from: "[\(number)]") == [value])
        #expect(try decode([Bool?].self, from: "[\(number),null]") == [value, nil])
        #expect(try decode([String: Bool].self, from: #"{"a":\#(number)}"#) == ["a": value])
        #expect(try decode(Bool.self, from: number) == value)
    }

    @Test(arguments: ["2", "-1", "0.5", "1.00000000000000000001", "1e-400", "\"1\"", "null", "[1]"])
    func othersAreRefusedWithTheirPath(value: String) {
        let error = #expect(throws: StoreError.self) { try decode(Row.self, from: #"{"open":\#(value)}"#) }
        #expect(error?.code == .invalidParameter && error?.message.contains("open") == true)
    }

    @Test func aTypeThatTriesABooleanFirstGetsTheNumber() throws {
        #expect(
            try decode([AnyScalar].self, from: "[1,0,true,7]") == [.number(1), .number(0), .bool(true), .number(7)])
    }

    @Test func comparisonsOfRowsAreRead() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let visits = try database.createCollection(name: "visits")
        try visits.put("a", ["score": 3, "findings": [["fixed": true], ["fixed": false]]])
        let rows = try database.createQuery(
            "SELECT v.score > 2 AS open, f.fixed = TRUE AS late FROM visits AS v UNNEST v.findings AS f")
        #expect(
            try rows.execute().data(as: Row.self) == [Row(open: true, late: true), Row(open: true, late: false)])
        let alone = try database.createQuery("SELECT score < 2 AS low FROM visits")
        #expect(try alone.execute().data(as: Bool.self, dataKey: "low") == [false])
    }
}
