import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// Reading on the calling thread, for engines that can do it.
@Suite(.timeLimit(.minutes(1))) struct StoreInPlaceTests {
    private static func user(_ name: Name, generation: Int64) -> StoredPrincipal {
        var user = StoredPrincipal(key: name, sequence: 1)
        user.sessionGeneration = generation
        return user
    }

    @Test(arguments: StoreEngine.readingInPlace) func aSessionComesWithItsUser(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { transaction in
                try await transaction.principals.put(Self.user("ann", generation: 4))
                for (key, name) in [(1, "ann"), (2, "nobody")] as [(UInt8, Name)] {
                    try await transaction.sessions.put(
                        Session(key: [key], user: name, expires: 9, lifetime: 5, generation: 4))
                }
            }
            let inPlace = try #require(store.inPlace)
            let found = try inPlace.signedIn(with: [1])
            #expect(found?.session.user == "ann" && found?.user.sessionGeneration == 4)
            #expect(try inPlace.signedIn(with: [2]) == nil, "a session without a user opens nothing")
            #expect(try inPlace.signedIn(with: [3]) == nil)
            #expect(try inPlace.session([2])?.user == "nobody" && inPlace.session([]) == nil)
        }
    }

    @Test(arguments: StoreEngine.readingInPlace) func whatIsLargeIsReadElsewhere(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { transaction in
                for (id, body) in [("small", "{}"), ("large", #"{"a":"0123456789"}"#)] {
                    let row = DocumentRow.test(.test(1), at: try await transaction.nextSequence(), body: body)
                    try await transaction.documents.insert(row, id: id, in: 1)
                }
            }
            let inPlace = try #require(store.inPlace)
            let all = try inPlace.states(of: ["large", "none", "small"], in: 1, upTo: 1_000).value
            #expect(all?.map { $0?.stored.id } == ["large", nil, "small"])
            #expect(try inPlace.states(of: ["large"], in: 1, upTo: 20).value == nil)
            #expect(try inPlace.states(of: ["small"], in: 2, upTo: 0).value?.count == 1, "none of this collection")
            #expect(try inPlace.sequences(of: ["large", "none", "small"], in: 1) == [2, nil, 1])
            #expect(try inPlace.sequences(of: [], in: 1) == [])
        }
    }

    /// The leaves of a conflict are read with the document, and count.
    @Test(arguments: StoreEngine.readingInPlace) func leavesComeWithTheirDocument(on engine: StoreEngine) async throws {
        try await engine.run { store in
            var tree = RevisionTree()
            for digest in ["bb", "cc"] {
                let history = RevisionHistory([.test(1)])
                tree.insert(.test(2, digest: digest), history: history, isDeleted: false, limit: 100)
            }
            let row = DocumentRow(
                sequence: 1, revision: .test(2, digest: "cc"), isDeleted: false, channels: DocumentChannels(),
                tree: tree, expires: nil, grants: DocumentGrants(), attachments: nil, body: Array("{}".utf8))
            let branch = StoredRevision(
                revision: .test(2, digest: "bb"), isDeleted: false, channels: ["x"], sequence: 1, expires: nil,
                attachments: nil, body: Array(#"{"b":"x"}"#.utf8))
            try await store.write { transaction in
                let number = try await transaction.documents.insert(row, id: "d", in: 1)
                try await transaction.branches.insert(branch, of: number)
            }
            let inPlace = try #require(store.inPlace)
            // The two bodies, the channels of both, and the tree.
            let bytes = 2 + 9 + "[]".utf8.count + #"["x"]"#.utf8.count + tree.text.utf8.count
            let states = try inPlace.states(of: ["d", "none"], in: 1, upTo: bytes).value
            #expect(states?.map { $0?.branches.count } == [1, nil])
            #expect(try inPlace.states(of: ["d"], in: 1, upTo: bytes - 1).value == nil)
            #expect(try inPlace.states(of: ["none"], in: 1, upTo: 0).value?.count == 1)
        }
    }

    @Test(arguments: StoreEngine.readingInPlace) func aLargeLocalDocumentIsReadElsewhere(on engine: StoreEngine)
        async throws
    {
        try await engine.run { store in
            let document = LocalDocument(id: "a", number: 2, body: Array(#"{"x":1}"#.utf8))
            try await store.write { try await $0.localDocuments.put(document, in: 1, owner: "ann", now: 10) }
            let inPlace = try #require(store.inPlace)
            let found = try inPlace.localDocument("a", in: 1, upTo: 7)
            #expect(found.value??.revision == "0-2")
            #expect(try inPlace.localDocument("a", in: 1, upTo: 6).value == nil)
        }
    }

    /// Each call sees all earlier commits.
    @Test(arguments: StoreEngine.readingInPlace) func nothingOldIsRead(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let inPlace = try #require(store.inPlace)
            for number in 1...20 as ClosedRange<Int64> {
                try await store.write { transaction in
                    let document = LocalDocument(id: "a", number: number, body: Array("{}".utf8))
                    try await transaction.localDocuments.put(document, in: 1, owner: "", now: 0)
                }
                #expect(try inPlace.localDocument("a", in: 1, upTo: 10).value??.number == number)
            }
        }
    }

    /// An event loop reads pieces, and all connections of the loop wait for it.
    @Test(arguments: StoreEngine.readingInPlace) func aPieceWaitsForNoTask(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { try await $0.attachments.insert(.bytes([1, 2]), digest: "d", of: 5) }
            let inPlace = try #require(store.inPlace)
            let begun = AsyncStream<Void>.makeStream()
            let ends = (0..<GatewayLimits.readers).map { _ in AsyncStream<Void>.makeStream() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for end in ends {
                    group.addTask {
                        try await store.read { _ in
                            begun.continuation.yield()
                            for await _ in end.stream {}
                        }
                    }
                }
                var waiting = begun.stream.makeAsyncIterator()
                for _ in ends { _ = await waiting.next() }
                #expect(try inPlace.attachment("d", of: 5, from: 0, count: 2) == [1, 2])
                for end in ends { end.continuation.finish() }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: StoreEngine.readingInPlace) func piecesOfAttachmentsAreRead(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { try await $0.attachments.insert(.bytes([1, 2, 3, 4]), digest: "d", of: 5) }
            let inPlace = try #require(store.inPlace)
            #expect(try inPlace.attachment("d", of: 5, from: 1, count: 2) == [2, 3])
            #expect(try inPlace.attachment("d", of: 5, from: 3, count: 9) == [4])
            #expect(try inPlace.attachment("d", of: 6, from: 0, count: 9) == [])
        }
    }
}
