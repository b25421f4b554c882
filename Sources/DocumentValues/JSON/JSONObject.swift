/// The members of a JSON object in their order; equality ignores the order.
public struct JSONObject: Sendable {
    public struct Member: Sendable {
        public var key: String
        public var value: JSONValue

        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// No two members have the same key.
    public private(set) var members: [Member]

    public init() { members = [] }

    /// If several members have the same key, the value of the last one counts, at the position of the first one.
    public init(members source: [Member]) {
        guard source.count > Self.fewMembers else {
            members = []
            if Self.haveDistinctKeys(source) {
                members = source
            } else {
                for member in source { self[member.key] = member.value }
            }
            return
        }
        members = []
        members.reserveCapacity(source.count)
        var indices: [Name: Int] = [:]
        for member in source {
            if let index = indices[Name(member.key)] {
                members[index].value = member.value
            } else {
                indices[Name(member.key)] = members.count
                members.append(member)
            }
        }
    }

    /// Comparing up to so many keys with each other is faster than hashing them.
    private static let fewMembers = 24

    private static func haveDistinctKeys(_ members: [Member]) -> Bool {
        for index in members.indices.dropFirst() {
            for earlier in 0..<index where members[earlier].key.isExactly(members[index].key) { return false }
        }
        return true
    }

    public var count: Int { members.count }
    public var isEmpty: Bool { members.isEmpty }
    public var keys: [String] { members.map(\.key) }

    /// Reads, replaces (in place), adds (at the end) or, with `nil`, removes a member.
    public subscript(key: String) -> JSONValue? {
        get { members.first { $0.key.isExactly(key) }?.value }
        set {
            let index = members.firstIndex { $0.key.isExactly(key) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// With the members of another object, which replace those of the same name, in place. Setting them one by one would
    /// search all members each time.
    package func setting(_ others: JSONObject) -> JSONObject { JSONObject(members: members + others.members) }

    public func filter(_ isIncluded: (String) -> Bool) -> JSONObject {
        var result = JSONObject()
        result.members = members.filter { isIncluded($0.key) }
        return result
    }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        JSONValue.object(left) == JSONValue.object(right)
    }

    /// Adds the pairs of values with the same name, to be compared; false if one object has a name that the other does
    /// not have.
    func addPairs(with other: JSONObject, to pairs: inout [(JSONValue, JSONValue)]) -> Bool {
        guard count == other.count else { return false }
        for index in members.indices {
            guard members[index].key.isExactly(other.members[index].key) else {
                return addPairs(from: index, with: other, to: &pairs)
            }
            pairs.append((members[index].value, other.members[index].value))
        }
        return true
    }

    /// The same from an index on where the orders differ.
    private func addPairs(
        from index: Int, with other: JSONObject, to pairs: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        let values = Dictionary(
            other.members[index...].map { (Name($0.key), $0.value) }, uniquingKeysWith: { $1 })
        for member in members[index...] {
            guard let value = values[Name(member.key)] else { return false }
            pairs.append((member.value, value))
        }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        // Members in another order must hash alike, so their hashes are combined by a sum.
        var sum = 0
        for member in members {
            var inner = Hasher()
            inner.combine(Name(member.key))
            member.value.hashTop(into: &inner)
            sum &+= inner.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(members: elements.map { Member(key: $0.0, value: $0.1) })
    }
}

extension JSONObject: Sequence {
    public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}
