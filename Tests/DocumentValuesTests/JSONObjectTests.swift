import DocumentValues
import Testing

/// The members of an object: their order, and what is one member.
@Suite struct JSONObjectTests {
    @Test func membersAreReplacedInPlaceAddedAtTheEndAndRemoved() {
        var object: JSONObject = ["a": 1, "b": 2, "c": 3]
        object["b"] = "two"
        object["d"] = 4
        object["a"] = nil
        object["missing"] = nil
        #expect(object.description == #"{"b":"two","c":3,"d":4}"#)
        #expect(object.keys == ["b", "c", "d"] && object.count == 3 && !object.isEmpty)
        object["a"] = 5
        #expect(object.keys == ["b", "c", "d", "a"], "what was removed comes last again")
        #expect(object["missing"] == nil && object["b"] == "two")
        #expect(Array(object).map(\.value) == ["two", 3, 4, 5])
    }

    /// Few members are compared with each other, many are looked up.
    @Test(arguments: [2, 24, 25, 200]) func theLastOfEqualNamesCountsWhereTheFirstWas(count: Int) {
        let members = (0..<count).map { JSONObject.Member(key: "k\($0)", value: .int($0)) }
        let twins = [JSONObject.Member(key: "k1", value: "again"), JSONObject.Member(key: "k1", value: "last")]
        let object = JSONObject(members: members + twins)
        #expect(object.count == count && object.keys == members.map(\.key))
        #expect(object["k1"] == "last" && object["k0"] == 0)
    }

    @Test(arguments: [0, 1, 5, 30]) func theOrderMakesNoDifference(count: Int) {
        let members = (0..<count).map { JSONObject.Member(key: "k\($0)", value: [.int($0), ["x": nil]]) }
        let (one, other) = (JSONObject(members: members), JSONObject(members: members.reversed()))
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(JSONValue.object(one) == .object(other) && Set([one, other]).count == 1)
        var changed = other
        changed["k0"] = "another"
        #expect(one != changed)
        var longer = other
        longer["more"] = nil
        #expect(one == longer)
        longer["more"] = .null
        #expect(one != longer && longer != one)
    }

    @Test func aNameOfAnotherMakesADifference() {
        let one: JSONObject = ["a": 1, "b": 2]
        #expect(one != ["a": 1, "c": 2] && one != ["b": 1, "a": 2] && one != ["a": 1])
        #expect(one == ["b": 2, "a": 1.0])
    }

    @Test func membersThatLookAlikeAreSetAndRemovedAlone() {
        var object = JSONObject()
        object["caf\u{E9}"] = 1
        object["cafe\u{301}"] = 2
        object["caf\u{E9}"] = 3
        #expect(object.count == 2 && object["caf\u{E9}"] == 3 && object["cafe\u{301}"] == 2)
        object["cafe\u{301}"] = nil
        #expect(object.count == 1 && object["caf\u{E9}"] == 3)
    }

    @Test func someAreKept() {
        let object: JSONObject = ["_id": 1, "a": 2, "_rev": 3, "b": 4]
        #expect(object.filter { !$0.hasPrefix("_") }.description == #"{"a":2,"b":4}"#)
        #expect(object.filter { _ in false }.isEmpty && object.filter { _ in true } == object)
    }
}

/// A value asked for what it is, and for what it is not.
@Suite struct JSONValueTests {
    private static let values: [JSONValue] = [nil, true, 1.5, "text", [1, "two"], ["a": ["b": [3]]]]

    @Test func eachValueIsOfOneKind() {
        #expect(Self.values.map(\.isNull) == [true, false, false, false, false, false])
        #expect(Self.values.map(\.boolValue) == [nil, true, nil, nil, nil, nil])
        #expect(Self.values.map(\.doubleValue) == [nil, nil, 1.5, nil, nil, nil])
        #expect(Self.values.map { $0.stringValue != nil } == [false, false, false, true, false, false])
        #expect(Self.values.map { $0.arrayValue?.count } == [nil, nil, nil, nil, 2, nil])
        #expect(Self.values.map { $0.objectValue?.count } == [nil, nil, nil, nil, nil, 1])
        #expect(Self.values.map(\.integerValue).allSatisfy { $0 == nil } && JSONValue.int(7).integerValue == 7)
    }

    @Test func partsAreFoundAndAbsenceIsNoFailure() {
        let value: JSONValue = ["list": [1, ["x": "y"]]]
        #expect(value["list"]?[1]?["x"] == "y" && value["list"]?[0] == 1)
        #expect(value["list"]?[2] == nil && value["list"]?[-1] == nil && value["none"] == nil)
        for other in Self.values.prefix(4) { #expect(other["a"] == nil && other[0] == nil) }
        #expect(value[0] == nil && value["list"]?["x"] == nil)
    }

    @Test func valuesOfDifferentKindsDiffer() {
        let values: [JSONValue] = [nil, false, 0, "", [], [:], "0", "null", [nil], [0]]
        for (index, value) in values.enumerated() {
            for (otherIndex, other) in values.enumerated() {
                #expect((value == other) == (index == otherIndex), "\(value) \(other)")
            }
        }
        #expect(Set(values).count == values.count)
    }

    @Test func namesAreTheTextsOfAList() {
        #expect(JSONValue.array(["b", 1, "a", nil, "b", ["c"]]).names == ["a", "b"])
        #expect(JSONValue.string("a").names.isEmpty && JSONValue.null.names.isEmpty)
        #expect(
            JSONValue.list(["b", "a\u{301}", "a", "A"] as [Name]).description == "[\"A\",\"a\",\"a\u{301}\",\"b\"]")
        #expect(JSONValue.array(["caf\u{E9}", "cafe\u{301}"]).names.count == 2)
    }
}

/// The fault of a text and its position, as a message for a person.
@Suite struct JSONErrorTests {
    @Test(arguments: [
        ("[1", "the JSON ends too early at byte 2"), ("[1;", "unexpected character at byte 2"),
        ("[01]", "not a number that JSON allows at byte 1"),
        (#"["\x"]"#, "a string with a bad escape or a bare control character at byte 2"),
        ("1 2", "text after the value at byte 2"),
    ])
    func namesTheByte(text: String, description: String) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.description == description)
    }

    @Test func othersAreNamedToo() {
        #expect("\(JSONError(.tooDeep, offset: 3))" == "nested more than 1000 levels deep at byte 3")
        #expect("\(JSONError(.notUTF8, offset: 0))" == "text that is not UTF-8 at byte 0")
        #expect("\(JSONError(.halfCharacter, offset: 1))" == "an escape that is half of a character at byte 1")
        #expect("\(JSONError(.notAnObject, offset: 0))" == "not a JSON object at byte 0")
    }
}
