import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Three people decide the same question without knowing of each other's decisions.
@Suite struct DecisionsOfSeveralTests {
    private static let names = ["mara", "kim", "ines"]
    private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    private static func author(_ index: Int, minute: Int) -> Author {
        Author(
            name: names[index], moment: Timestamp(secondsSince1970: 1_772_600_000 + Int64(minute) * 60),
            device: "\(names[index])-laptop")
    }

    private static func contested(_ path: FieldPath, values: [JSONValue?]) -> JSONValue {
        .array(
            zip(values, names.indices).map { value, index in
                let stamp = VersionStamp(by: names[index], at: author(index, minute: 0).moment, device: "old")
                return .object(ContestedValue(.field(path), value: value, stamp: stamp).object)
            })
    }

    private static func decide(_ path: FieldPath, is value: JSONValue, in body: JSONObject, by index: Int) throws
        -> JSONObject
    {
        Conflicts.decided(
            body, conflict: try #require(RecordConflict(.inspection, id: "i", object: body)), choices: [path: value],
            keepsRecord: false, by: author(index, minute: 5 - index))
    }

    /// Each laptop syncs in turn, twice, with a gateway that has one version after another.
    private static func exchange(_ decided: [JSONObject], from base: JSONObject, order: [Int]) throws -> JSONObject {
        var (bodies, bases) = (decided, Array(repeating: base, count: decided.count))
        var head = base
        for index in order + order {
            let merged = try #require(RecordMerge.merge(.inspection, base: bases[index], a: bodies[index], b: head))
            #expect(merged == RecordMerge.merge(.inspection, base: bases[index], a: head, b: bodies[index]))
            (head, bodies[index], bases[index]) = (merged, merged, merged)
        }
        for index in order {
            #expect(try #require(RecordMerge.merge(nil, base: bases[index], a: bodies[index], b: head)) == head)
        }
        return head
    }

    /// A decision is lost only if a person who knew of it has decided differently.
    @Test(arguments: orders, [0, 13, 25, 5, 7, 11, 15, 19, 21]) func noDecisionIsLost(order: [Int], choices: Int) throws
    {
        let path = FieldPath("score")
        let values: [JSONValue] = [60, 70, 80]
        let base: JSONObject = [
            "type": "inspection", "status": "draft", "score": 80, "createdBy": "olga",
            "conflicts": Self.contested(path, values: values),
        ]
        let chosen = [values[choices % 3], values[choices / 3 % 3], values[choices / 9]]
        let decided = try chosen.indices.map { try Self.decide(path, is: chosen[$0], in: base, by: $0) }
        let end = try Self.exchange(decided, from: base, order: order)
        let field = RecordConflict(.inspection, id: "i", object: end)?.fields.first { $0.path == path }
        let listed = field.map { [$0.current] + $0.others } ?? []
        let current = try #require(end["score"])
        #expect(Set(listed.compactMap(\.value)).union([current]) == Set(chosen), "\(end)")
        for value in listed {
            let people = Self.names.indices.filter { chosen[$0] == value.value }.map { Self.names[$0] }
            #expect(people.contains(value.stamp.by ?? ""), "\(value)")
        }
    }

    @Test(arguments: orders, 0..<8) func noDecisionAboutAReviewIsLost(order: [Int], choices: Int) throws {
        let values: [JSONValue] = ["approved", "returned"]
        let base: JSONObject = [
            "type": "inspection", "status": "approved", "createdBy": "olga",
            "conflicts": Self.contested(RecordConflict.status, values: values),
        ]
        let chosen = (0..<3).map { values[choices >> $0 & 1] }
        let decided = try chosen.indices.map { index in
            try Self.decide(RecordConflict.status, is: chosen[index], in: base, by: index)
        }
        let end = try Self.exchange(decided, from: base, order: order)
        let field = RecordConflict(.inspection, id: "i", object: end)?.fields.first
        #expect((field != nil) == (Set(chosen).count == 2), "\(end)")
        #expect(end["status"] == (chosen.contains("approved") ? "approved" : "returned"))
        for value in field.map({ [$0.current] + $0.others }) ?? [] {
            let people = Self.names.indices.filter { chosen[$0] == value.value }.map { Self.names[$0] }
            #expect(people.contains(value.stamp.by ?? ""), "\(value)")
        }
    }

    @Test(arguments: orders, 0..<8) func noDecisionAboutAPhotoIsLost(order: [Int], choices: Int) throws {
        let path = FieldPath("photos").appending("sha1-d")
        let base: JSONObject = [
            "type": "inspection", "status": "draft", "createdBy": "olga",
            "photos": [["name": "door.jpg", "blob": ["@type": "blob", "digest": "sha1-d"]]],
            "conflicts": Self.contested(path, values: [Optional.some(.bool(true)), Optional.none]),
        ]
        let chosen = (0..<3).map { choices >> $0 & 1 == 1 }
        let decided = try chosen.indices.map { index in
            try Self.decide(path, is: chosen[index] ? .bool(true) : .null, in: base, by: index)
        }
        let end = try Self.exchange(decided, from: base, order: order)
        let isOpen = RecordConflict(.inspection, id: "i", object: end) != nil
        #expect(isOpen == (Set(chosen).count == 2), "\(end)")
        if !isOpen { #expect((end["photos"]?.arrayValue ?? []).isEmpty == !chosen[0]) }
    }

    /// Each chooses the other's value: the question then is about the decisions, not about the first authors of the
    /// values.
    @Test func whoDecidesGivesTheValue() throws {
        let path = FieldPath("notes")
        let base: JSONObject = [
            "type": "inspection", "status": "draft", "notes": "of kim", "createdBy": "olga",
            "conflicts": Self.contested(path, values: ["of mara", "of kim"]),
        ]
        let decided = [
            try Self.decide(path, is: "of kim", in: base, by: 0), try Self.decide(path, is: "of mara", in: base, by: 1),
        ]
        let end = try Self.exchange(decided, from: base, order: [0, 1])
        let conflict = try #require(RecordConflict(.inspection, id: "i", object: end))
        let field = try #require(conflict.fields.first)
        let given = ([field.current] + field.others).map { "\($0.value?.stringValue ?? ""): \($0.stamp.by ?? "")" }
        #expect(given.sorted() == ["of kim: mara", "of mara: kim"])
    }
}
