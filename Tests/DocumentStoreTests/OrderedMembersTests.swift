import DocumentValues
import Testing

@testable import DocumentStore

/// Members in their order, found and removed without a look at the others.
@Suite struct OrderedMembersTests {
    private static func value(_ number: Int) -> NodeValue { .json(.int(number)) }

    private static func number(_ value: NodeValue?) -> Int? {
        guard case .json(let json)? = value else { return nil }
        return json.integerValue.map { Int($0) }
    }

    /// The same steps are done with a list that is looked through each time.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func theyAreAListOfPairs(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func random(_ bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        var members = OrderedMembers()
        var model: [(key: String, value: Int)] = []
        for step in 0..<600 {
            let pick = random(12)
            let key = pick < 3 ? ["caf\u{E9}", "cafe\u{301}", ""][pick] : "k\(random(30))"
            let index = model.firstIndex { $0.key.isExactly(key) }
            if random(5) < 2 {
                members.remove(key)
                if let index { model.remove(at: index) }
            } else {
                members.set(Self.value(step), forKey: key)
                if let index { model[index].value = step } else { model.append((key, step)) }
            }
            guard members.keys == model.map(\.key), members.all.map({ Self.number($0.value) }) == model.map(\.value)
            else {
                Issue.record("step \(step): \(members.keys) for \(model)")
                return
            }
        }
        for (key, value) in model { #expect(Self.number(members[key]) == value) }
        #expect(members["never"] == nil)
    }

    @Test func ofTwoOfOneNameTheLaterCounts() {
        let members = OrderedMembers([("a", Self.value(1)), ("b", Self.value(2)), ("a", Self.value(3))])
        #expect(members.keys == ["a", "b"] && Self.number(members["a"]) == 3 && members.all.count == 2)
    }

    // MARK: As text

    private static let json = #"{"b":1,"a":{"x":[1]},"c":null}"#

    @Test func aTextStaysOneUntilAMemberChanges() throws {
        var content = DictionaryContent.text(try ObjectText(reading: Array(Self.json.utf8)))
        #expect(content.keys == ["b", "a", "c"] && content.containers.isEmpty)
        #expect(Self.number(content.value(forKey: "b")) == 1 && content.value(forKey: "none") == nil)
        #expect(content.text != nil, "a look takes nothing apart")
        content.set(Self.value(2), forKey: "b")
        #expect(content.text == nil && content.keys == ["b", "a", "c"] && Self.number(content.value(forKey: "b")) == 2)
        content.remove("a")
        content.remove("none")
        #expect(content.keys == ["b", "c"])
    }

    /// The text of many is taken apart at the first look, and says the same.
    @Test(arguments: [ObjectText.fewMembers, ObjectText.fewMembers + 1]) func manyMembersAreTakenApart(count: Int)
        throws
    {
        let object = JSONObject(members: (0..<count).map { JSONObject.Member(key: "k\($0)", value: .int($0)) })
        var content = DictionaryContent.text(try ObjectText(reading: object.bytes))
        for number in (0..<count).reversed() { #expect(Self.number(content.value(forKey: "k\(number)")) == number) }
        #expect((content.text != nil) == (count <= ObjectText.fewMembers) && content.keys == object.keys)
    }

    @Test func containersAreThoseThatAreObjects() {
        var content = DictionaryContent(["a": 1, "b": [2]])
        #expect(content.containers.isEmpty && content.text == nil)
        let origin = ValueOrigin(nil)
        content.set(.array(ArrayNode(origin: origin)), forKey: "b")
        content.set(.dictionary(DictionaryNode(origin: origin)), forKey: "c")
        #expect(content.containers.count == 2 && content.keys == ["a", "b", "c"])
    }
}
