import DocumentStore
import DocumentValues
import Testing
import WorkCount

/// Documents with very many members.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MemberGrowthTests {
    @Test func removingMembersLooksAtNoOthers() async throws {
        let growth = try await Growth.of(500) { count in
            let document = MutableDocument(id: "a")
            for number in 0..<count { document.setInt(number, forKey: "a member of some length \(number)") }
            return document
        } work: { document in
            for key in document.keys { document.removeValue(forKey: key) }
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// As the commands put `_id` and `_rev` before a document's members.
    @Test func settingManyMembersLooksAtEachOnce() async throws {
        let growth = try await Growth.of(500) { count in
            JSONObject(members: (0..<count).map { JSONObject.Member(key: "a member \($0)", value: .int($0)) })
        } work: { members in
            let head: JSONObject = ["_id": "x"]
            #expect(head.setting(members).count == members.count + 1)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test func whatIsSetReplacesInPlace() {
        let object: JSONObject = ["a": 1, "b": 2]
        #expect(object.setting(["b": 3, "c": 4, "a": 5]).description == #"{"a":5,"b":3,"c":4}"#)
        #expect(object.setting([:]) == object)
    }

    @Test func settingAContainerLooksAtNoneOfItsMembers() async throws {
        let growth = try await Growth.of(500) { count in
            let container = MutableDictionaryObject()
            for number in 0..<count { container.setInt(number, forKey: "\(number)") }
            return (count, container)
        } work: { count, container in
            let document = MutableDocument(id: "a")
            for number in 0..<count { document.setDictionary(container, forKey: "\(number % 2)") }
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test func aTreeIsMadeFromItsLeaves() async throws {
        let growth = try await Growth.of(200) { count in
            count
        } work: { count in
            var tree = MutableDictionaryObject()
            for _ in 0..<count { tree = MutableDictionaryObject().setDictionary(tree, forKey: "k") }
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test func membersStayInTheirOrder() {
        let document = MutableDocument(id: "a", data: ["a": 1, "b": 2, "c": 3, "d": 4])
        for key in document.keys { document.removeValue(forKey: key) }
        for key in ["a", "b", "c", "d"] { document.setInt(1, forKey: key) }
        for key in ["c", "a", "b"] { document.removeValue(forKey: key) }
        document.setInt(5, forKey: "b").setInt(6, forKey: "d").setInt(7, forKey: "a")
        #expect(document.keys == ["d", "b", "a"] && document.toJSON() == #"{"d":6,"b":5,"a":7}"#)
    }
}
