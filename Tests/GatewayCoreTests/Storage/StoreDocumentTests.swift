import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// Documents, their leaves and their replaced revisions.
@Suite(.timeLimit(.minutes(1))) struct StoreDocumentTests {
    @Test(arguments: StoreEngine.allCases) func aRowIsReadAsItWasWritten(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let number = try await store.write { transaction in
                let row = DocumentRow.test(
                    .test(1), at: try await transaction.nextSequence(), channels: ["c1"], expires: 99,
                    grants: DocumentGrants(channels: ["ann": ["c1"]], roles: ["bob": ["r"]]))
                return try await transaction.documents.insert(row, id: "d", in: 7)
            }
            let found = try await store.read { try await $0.documents.find("d", in: 7) }
            #expect(found?.number == number && found?.id == "d" && found?.sequence == 1 && found?.expires == 99)
            #expect(found?.revision == .test(1) && found?.tree.isLine == true && found?.isDeleted == false)
            #expect(found?.channels == DocumentChannels(current: ["c1": 1]))
            #expect(found?.grants == DocumentGrants(channels: ["ann": ["c1"]], roles: ["bob": ["r"]]))
            #expect(found?.body == Array(#"{"a":1}"#.utf8))
            #expect(try await store.read { try await $0.documents.find(number: number) }?.id == "d")
            #expect(try await store.read { try await $0.documents.find("d", in: 8) } == nil)
            #expect(try await store.read { try await $0.documents.find("d", in: 7, bodies: .none) }?.body == [])
            #expect(try await store.read { try await $0.documents.find("d", in: 7, bodies: .upTo(6)) }?.body == [])
            #expect(try await store.read { try await $0.documents.find("d", in: 7, bodies: .upTo(7)) }?.body.count == 7)
        }
    }

    /// One code point or two: Swift's `String` takes them for the same.
    @Test(arguments: StoreEngine.allCases) func idsAreComparedByTheirBytes(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let ids = ["caf\u{E9}", "cafe\u{301}", "CAF\u{E9}", "a", "a\u{0}b"]
            try await store.write { transaction in
                for id in ids {
                    let row = DocumentRow.test(.test(1), at: try await transaction.nextSequence())
                    _ = try await transaction.documents.insert(row, id: id, in: 1)
                }
            }
            let sequences = try await store.read { try await $0.documents.sequences(of: ids + ["none"], in: 1) }
            #expect(sequences == [1, 2, 3, 4, 5, nil])
            let heads = try await store.read { try await $0.documents.heads(of: ids + ["none"], in: 1) }
            #expect(heads.map { $0?.revision } == ids.map { _ in .test(1) } + [nil])
            let last = try await store.read { try await $0.documents.page(in: 1, after: 0, limit: 9) }.last
            #expect(last.map { Array($0.id.utf8) } == [0x61, 0, 0x62])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aRowIsReplacedAndDeleted(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let number = try await store.write { transaction in
                try await transaction.documents.insert(
                    .test(.test(1), at: try await transaction.nextSequence(), channels: ["a"]), id: "d", in: 1)
            }
            try await store.write { transaction in
                let row = DocumentRow.test(
                    .test(2), at: try await transaction.nextSequence(), isDeleted: true, body: "{}")
                try await transaction.documents.replace(number: number, at: 1, with: row, leaving: ["a"], in: 1)
            }
            var found = try await store.read { try await $0.documents.find("d", in: 1) }
            #expect(found?.revision == .test(2) && found?.isDeleted == true && found?.sequence == 2)
            try await store.write { transaction in
                let row = DocumentRow.test(
                    .test(9), at: try await transaction.nextSequence(), channels: ["b"], expires: 5)
                try await transaction.documents.replaceAccess(
                    by: DocumentRowChange(
                        target: .row(number: number, sequence: 2), row: row, entries: .test(entered: ["b"])), in: 1)
            }
            found = try await store.read { try await $0.documents.find("d", in: 1) }
            // Only the channels have changed.
            #expect(found?.channels == DocumentChannels(current: ["b": 3]) && found?.expires == 5)
            #expect(found?.revision == .test(2) && found?.isDeleted == true && found?.body == Array("{}".utf8))
            try await store.write { try await $0.documents.delete(number: number) }
            #expect(try await store.read { try await $0.documents.find("d", in: 1) } == nil)
            #expect(try await store.read { try await $0.documents.isEmpty(collection: 1) })
        }
    }

    @Test(arguments: StoreEngine.allCases) func pagesAreInTheirOrder(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let ids = ["b", "a", "\u{10FFFF}", "B", "z"]
            try await store.write { transaction in
                for id in ids {
                    _ = try await transaction.documents.insert(
                        .test(.test(1), at: try await transaction.nextSequence()), id: id, in: 1)
                    _ = try await transaction.documents.insert(
                        .test(.test(1), at: try await transaction.nextSequence()), id: id, in: 2)
                }
            }
            // As they came.
            let first = try await store.read { try await $0.documents.page(in: 1, after: 0, limit: 3) }
            #expect(first.map(\.id) == ["b", "a", "\u{10FFFF}"])
            let last = first.last?.number ?? 0
            #expect(
                try await store.read { try await $0.documents.page(in: 1, after: last, limit: 3) }.map(\.id) == [
                    "B", "z",
                ])
            // By the bytes of their ids.
            func sorted(from start: String?, through end: String?, limit: Int = 9) async throws -> [String] {
                try await store.read { store in
                    var found: [String] = []
                    try await store.documents.forEach(in: 1, from: start, through: end, bodies: .none) { document in
                        found.append(document.id)
                        return found.count < limit
                    }
                    return found
                }
            }
            #expect(try await sorted(from: nil, through: nil) == ["B", "a", "b", "z", "\u{10FFFF}"])
            #expect(try await sorted(from: "a", through: "b") == ["a", "b"])
            #expect(try await sorted(from: "b", through: nil, limit: 1) == ["b"])
        }
    }

    /// A body may wait, and read the same documents again.
    @Test(arguments: StoreEngine.allCases) func aWalkWithinAWalkEndsNeither(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let ids = ["a", "b", "c"]
            try await store.write { transaction in
                for id in ids {
                    try await transaction.documents.insert(
                        .test(.test(1), at: try await transaction.nextSequence()), id: id, in: 1)
                }
            }
            let walks = try await store.read { store in
                var walks: [[String]] = []
                try await store.documents.forEach(in: 1, from: nil, through: nil, bodies: .all) { outer in
                    var walk = [outer.id]
                    await Task.yield()
                    try await store.documents.forEach(in: 1, from: "b", through: nil, bodies: .all) { inner in
                        walk.append(inner.id)
                        return true
                    }
                    walks.append(walk)
                    return walks.count < 9
                }
                return walks
            }
            #expect(walks == ids.map { [$0, "b", "c"] })
        }
    }

    @Test(arguments: StoreEngine.allCases) func whatIsDueIsFoundInItsOrder(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { transaction in
                for (id, expires) in [("a", 30), ("b", 10), ("c", nil), ("d", 20)] as [(String, Int64?)] {
                    let row = DocumentRow.test(.test(1), at: try await transaction.nextSequence(), expires: expires)
                    _ = try await transaction.documents.insert(row, id: id, in: 1)
                }
            }
            let due = try await store.read { store in
                var ids: [String?] = []
                for (number, _) in try await store.documents.due(by: 20, limit: 5) {
                    ids.append(try await store.documents.find(number: number)?.id)
                }
                return ids
            }
            #expect(due == ["b", "d"])
            #expect(try await store.read { try await $0.documents.due(by: 99, limit: 1) }.count == 1)
            #expect(try await store.read { try await $0.documents.nextExpiry() } == 10)
        }
    }

    @Test(arguments: StoreEngine.allCases) func leavesBesideTheCurrentOneAreKept(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let number = try await store.write { transaction in
                var tree = RevisionTree()
                tree.insert(.test(1), history: RevisionHistory(), isDeleted: false, limit: 100)
                tree.insert(.test(2, digest: "bb"), history: RevisionHistory([.test(1)]), isDeleted: false, limit: 100)
                tree.insert(.test(2, digest: "cc"), history: RevisionHistory([.test(1)]), isDeleted: false, limit: 100)
                let sequence = try await transaction.nextSequence()
                let row = DocumentRow(
                    sequence: sequence, revision: .test(2, digest: "cc"), isDeleted: false,
                    channels: DocumentChannels(),
                    tree: tree, expires: nil, grants: DocumentGrants(), attachments: nil, body: Array("{}".utf8))
                let number = try await transaction.documents.insert(row, id: "d", in: 1)
                try await transaction.branches.insert(
                    Self.revision(.test(2, digest: "bb"), at: sequence, channels: ["x"]), of: number)
                return number
            }
            let found = try #require(try await store.read { try await $0.documents.find("d", in: 1) })
            var branches = try await store.read { try await $0.branches.all(of: found) }
            #expect(branches.map(\.revision) == [.test(2, digest: "bb")] && branches.first?.channels == ["x"])
            if let inPlace = store.inPlace {
                // The two bodies, the channels of both, and the tree.
                let channels = "[]".utf8.count + #"["x"]"#.utf8.count
                let bytes = 2 + 9 + channels + found.tree.text.utf8.count
                let states = try inPlace.states(of: ["d", "none"], in: 1, upTo: bytes).value
                #expect(states?.map { $0?.branches.count } == [1, nil])
                #expect(try inPlace.states(of: ["d"], in: 1, upTo: bytes - 1).value == nil)
                #expect(try inPlace.states(of: ["none"], in: 1, upTo: 0).value?.count == 1)
            }
            try await store.write {
                try await $0.branches.setChannels(["y", "z"], of: .test(2, digest: "bb"), document: number)
            }
            let branch = try await store.read { try await $0.branches.find(.test(2, digest: "bb"), of: found) }
            #expect(branch?.channels == ["y", "z"] && branch?.body == Array(#"{"b":"x"}"#.utf8))
            try await store.write { try await $0.branches.delete(.test(2, digest: "bb"), of: number) }
            branches = try await store.read { try await $0.branches.all(of: found) }
            #expect(branches.isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases) func replacedRevisionsAreKeptForATimeAndANumber(on engine: StoreEngine)
        async throws
    {
        try await engine.run { store in
            let long = String(repeating: "x", count: GatewayLimits.smallestOldRevision)
            let limit = UInt32(GatewayLimits.oldRevisionsPerDocument)
            try await store.write { transaction in
                for generation in 1...(limit + 1) {
                    let revision = Self.revision(.test(generation), at: UInt64(generation), text: long)
                    try await transaction.oldRevisions.insert([
                        ReplacedRevision(revision: revision, document: 5, expires: 100)
                    ])
                }
                let short = Self.revision(.test(50), at: 50)
                try await transaction.oldRevisions.insert([
                    ReplacedRevision(revision: short, document: 5, expires: 100)
                ])
            }
            func find(_ generation: UInt32, now: Int64 = 99) async throws -> RememberedRevision? {
                try await store.read { try await $0.oldRevisions.find(.test(generation), of: 5, now: now) }
            }
            #expect(try await find(1) == nil, "older than the newest few")
            #expect(try await find(2)?.until == 100)
            #expect(try await find(2, now: 100) == nil, "over its time")
            #expect(try await find(50) == nil, "too short to gain anything")
            let isMore = try await store.write { try await $0.oldRevisions.forget(now: 100, limit: 1 << 30) }
            #expect(!isMore)
            #expect(try await find(limit + 1) == nil)
        }
    }

    /// The log takes as many bytes as are forgotten, and on a full disk it has only the reserve.
    @Test(arguments: StoreEngine.allCases) func someAreForgottenAtOnce(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let half = String(repeating: "x", count: GatewayLimits.forgottenBytesAtOnce / 2)
            try await store.write { transaction in
                for generation in UInt32(1)...3 {
                    let revision = Self.revision(.test(generation), at: UInt64(generation), text: half)
                    try await transaction.oldRevisions.insert([
                        ReplacedRevision(revision: revision, document: 5, expires: 100)
                    ])
                }
            }
            var rounds = 1
            while try await store.write({ try await $0.oldRevisions.forget(now: 100, limit: 1 << 30) }) { rounds += 1 }
            #expect(rounds == 3, "each is a little more than half")
            let left = try await store.read { try await $0.oldRevisions.find(.test(3), of: 5, now: 0) }
            #expect(left == nil)
        }
    }

    private static func revision(
        _ revision: RevisionID, at sequence: UInt64, channels: Set<Name> = [], text: String = "x"
    ) -> StoredRevision {
        StoredRevision(
            revision: revision, isDeleted: false, channels: channels, sequence: sequence, expires: nil,
            attachments: nil, body: (["b": .string(text)] as JSONObject).bytes)
    }
}
