import DocumentValues
import Foundation
import Testing

/// JSON inside of what other coders write and read.
@Suite struct JSONCodableTests {
    private struct Envelope: Codable, Equatable {
        var kind: String
        var body: JSONValue
        var members: JSONObject
    }

    private static let values: [JSONValue] = [
        nil, true, false, 0, -1, 1.5, "", "text\n\"é😀\"", [], [:], [nil, [1, [2]], ["a": [:]]],
        ["b": 1, "a": [true, nil, "x"], "": ["nested": ["deep": 0.25]]], .number(JSONNumber(Int64.min)),
        .number(JSONNumber(Int64.max)), .number(JSONNumber(UInt64.max)), .number(JSONNumber(real: 1e300)),
    ]

    @Test(arguments: values) func aValueComesBack(value: JSONValue) throws {
        let data = try JSONEncoder().encode(value)
        #expect(try JSONValue(parsing: Array(data)) == value, "the text is that of the value")
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(value.bytes)) == value)
    }

    @Test(arguments: values) func aValueInsideAnotherTypeComesBack(value: JSONValue) throws {
        let envelope = Envelope(kind: "k", body: value, members: ["v": value, "w": 1])
        let data = try JSONEncoder().encode(envelope)
        #expect(try JSONDecoder().decode(Envelope.self, from: data) == envelope)
        #expect(try JSONValue(parsing: Array(data))["members"]?["v"] == value)
    }

    @Test func wholeNumbersOf64BitsStayExact() throws {
        let data = try JSONEncoder().encode([JSONValue.number(JSONNumber(Int64.max)), .number(JSONNumber(UInt64.max))])
        #expect(String(decoding: data, as: UTF8.self) == "[9223372036854775807,18446744073709551615]")
        let read = try JSONDecoder().decode([JSONValue].self, from: data)
        #expect(read.map { $0.numberValue?.uint64 } == [UInt64(Int64.max), .max])
    }

    @Test(arguments: ["1", "[1]", "null", #""x""#]) func anObjectIsNothingElse(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONObject.self, from: Data(text.utf8)) }
    }
}
