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

    /// Each element is first taken for something else, and the error has the way to it.
    @Test func decodingLooksAtEachValueOnce() async throws {
        let growth = try await Growth.of(500) { count in
            let members = (0..<count).map { #""a member \#($0)":\#($0)"# }.joined(separator: ",")
            let numbers = (0..<count).map { "\($0)" }.joined(separator: ",")
            return Array("[\(numbers),{\(members)}]".utf8)
        } work: { (json: [UInt8]) in
            var decoder = DocumentDecoder()
            let values = try decoder.decode([EitherWay].self, from: json)
            #expect(!values.isEmpty)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// A number, or an object whose members are asked for from the last one to the first.
    private struct EitherWay: Decodable {
        private struct Key: CodingKey {
            let stringValue: String
            let intValue: Int? = nil

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { return nil }
        }

        init(from decoder: any Decoder) throws {
            guard let members = try? decoder.container(keyedBy: Key.self) else {
                _ = try decoder.singleValueContainer().decode(Int.self)
                return
            }
            for key in members.allKeys.reversed() { _ = try members.decode(Int.self, forKey: key) }
        }
    }
}
