import BLIPProtocol
import DocumentValues
import NIOCore
import SyncFunction
import SyncProtocol
import Testing

@testable import GatewayCore

/// Users who store much leave room on the disk for the others.
@Suite struct StoredVolumeTests {
    private static let (eve, mara) = (Name("eve"), Name("mara"))

    @Test(arguments: [
        (0, 100, true), (0, 101, false), (60, 40, true), (60, 41, false), (100, 0, true), (101, 0, false),
    ])
    func anAccountStoresNoMoreThanIsLeft(stored: Int, bytes: Int, isAdmitted: Bool) {
        var volume = StoredVolume(allowance: 0)
        volume.note(stored, of: Self.eve, at: 0)
        #expect(volume.admits(bytes, of: Self.eve, free: 100, at: 10) == isAdmitted)
        #expect(volume.admits(100, of: Self.mara, free: 100, at: 10))
    }

    /// By the hours of a day.
    @Test func whatWasStoredYesterdayCountsNoMore() {
        var volume = StoredVolume(allowance: 0)
        for hour in 0..<30 { volume.note(10, of: Self.eve, at: Int64(hour) * 3_600) }
        let now: Int64 = 29 * 3_600 + 1
        #expect(volume.admits(10, of: Self.eve, free: 250, at: now))
        #expect(!volume.admits(11, of: Self.eve, free: 250, at: now))
        #expect(volume.admits(250, of: Self.eve, free: 250, at: now + 86_400))
    }

    /// On a full disk, users who store little get the answer that the disk is full, not that their share is used up.
    @Test func whoBringsLittleIsNeverRefused() {
        var volume = StoredVolume(allowance: 100)
        volume.note(99, of: Self.eve, at: 0)
        #expect(volume.admits(1, of: Self.eve, free: 0, at: 10))
        // A single large write is not little, even if the user has stored nothing before.
        #expect(!volume.admits(2, of: Self.eve, free: 0, at: 10))
        #expect(!volume.admits(151, of: Self.mara, free: 150, at: 10))
        volume.note(1, of: Self.eve, at: 10)
        #expect(!volume.admits(1, of: Self.eve, free: 0, at: 20))
    }

    /// Two writes at the same time do not both get the room for one.
    @Test func whatIsTakenCountsUntilItIsGivenBack() {
        var volume = StoredVolume(allowance: 0)
        func take(_ bytes: Int, staged: Int = 0) -> Bool {
            volume.take(bytes, of: Self.eve, staged: staged, free: 100, at: 10)
        }
        #expect(take(60))
        #expect(!take(60))
        volume.note(-60, of: Self.eve, at: 10)
        #expect(take(60))
        // Bytes that are already on the disk are no longer free space.
        #expect(take(60, staged: 20))
    }

    @Test(arguments: [(40, 60, 0, true), (40, 60, 1, false), (0, 101, 0, false), (101, 0, 0, false)])
    func whatComesInCountsWithWhatIsStored(stored: Int, incoming: Int, bytes: Int, isAdmitted: Bool) {
        var volume = StoredVolume(allowance: 0)
        volume.note(stored, of: Self.eve, at: 0)
        #expect(volume.admits(bytes, of: Self.eve, beside: incoming, free: 100, at: 10) == isAdmitted)
    }

    /// The upload is on the disk for as long as its client takes.
    @Test(.timeLimit(.minutes(1))) func uploadsLeaveOthersRoomAsWell() async throws {
        try await TestDatabase.run { test in
            for name in ["eve", "mara"] { try await test.putUser(name, channels: ["*"]) }
            let documents = test.database.documents
            _ = try await test.put("a", Self.large, as: .user(Self.mara))
            test.leave(10 << 20)
            var upload: StagedAttachment? = documents.stageAttachment(of: nil, by: Self.eve)
            let piece = ByteBuffer(repeating: 7, count: 1 << 20)
            if let upload {
                for _ in 0..<10 { try await documents.append(piece, to: upload) }
                await #expect(throws: GatewayError.uploadsUseTheDiskUp) {
                    try await documents.append(piece, to: upload)
                }
            }
            #expect(throws: GatewayError.uploadsUseTheDiskUp) {
                try documents.checkRoom(forAttachmentOf: 1 << 20, by: Self.eve)
            }
            // A small attachment is checked when it is stored.
            try documents.checkRoom(forAttachmentOf: 1 << 10, by: Self.eve)
            try documents.checkRoom(forAttachmentOf: 1 << 20, by: nil)
            // Not mara's documents have filled the disk.
            test.leave(1 << 20)
            _ = try await test.put("b", ["text": "small"], as: .user(Self.mara))
            upload = nil
            // The thread that wrote last may hold it for a moment.
            while documents.environment.incoming.taken > 0 { await Task.yield() }
            await #expect(throws: GatewayError.volumeIsUsedUp) {
                try await test.put("c", ["text": "small"], as: .user(Self.mara))
            }
        }
    }

    private static let large: JSONValue = ["text": .string(String(repeating: "x", count: 6 << 20))]

    @Test(.timeLimit(.minutes(1))) func whoFillsTheDiskIsRefusedAndListed() async throws {
        try await TestDatabase.run { test in
            for name in ["eve", "mara"] { try await test.putUser(name, channels: ["*"]) }
            test.leave(10 << 20)
            let large = Self.large
            _ = try await test.put("a", large, as: .user(Self.eve))
            let error = await #expect(throws: GatewayError.self) { try await test.put("b", large, as: .user(Self.eve)) }
            #expect(error?.status == 507)
            #expect(test.database.documents.refusals.entries.map(\.document) == ["b"])
            // A refused document is not stored.
            _ = try await test.put("c", ["text": "small"], as: .user(Self.eve))
            _ = try await test.put("d", large, as: .user(Self.mara))
            for id in ["e", "f"] { _ = try await test.put(id, large) }
            test.pass(seconds: 86_400)
            _ = try await test.put("b", large, as: .user(Self.eve))
        }
    }

    /// A user who has stored much may still make room, and write revisions that take none.
    @Test(.timeLimit(.minutes(1))) func onlyWhatGrowsIsRefused() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("eve", channels: ["*"])
            let eve = Requester.user(Self.eve)
            _ = try await test.put("a", Self.large, as: eve)
            test.leave(1 << 20)
            await #expect(throws: GatewayError.volumeIsUsedUp) { try await test.put("b", ["text": "x"], as: eve) }
            _ = try await test.put("a", ["text": "shorter"], as: eve)
            _ = try await test.put("a", ["_deleted": true, "deletedBy": "eve"], as: eve)
            // A document that only claims to be a deletion makes no room, nor does the deletion of a missing document.
            for body in [Self.large, ["x": "never was"]] {
                await #expect(throws: GatewayError.volumeIsUsedUp) {
                    try await test.push("c", "1-aa", [], body, isDeleted: true, as: eve)
                }
            }
        }
    }

    /// A full disk counts for no user's share, and the refusals end as soon as there is room.
    @Test(.timeLimit(.minutes(1))) func aFullDiskIsNobodysDoing() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("eve", channels: ["*"])
            let eve = Requester.user(Self.eve)
            let documents = test.database.documents
            _ = try await test.put("a", Self.large, as: eve)
            test.leave(0)
            await #expect(throws: GatewayError.diskFull) { try await test.put("b", Self.large, as: eve) }
            #expect(throws: GatewayError.diskFull) {
                try documents.checkRoom(forAttachmentOf: 1 << 20, by: Self.eve)
            }
            // The log says so, too.
            #expect(test.database.store.disk.isFull && documents.refusals.entries.isEmpty)
            // A user who has used up a share is refused for that reason as soon as others have room.
            test.leave(GatewayLimits.spareSpace)
            await #expect(throws: GatewayError.volumeIsUsedUp) {
                try await test.put("c", Self.large, as: eve)
            }
            test.leave(100 << 20)
            _ = try await test.put("b", Self.large, as: eve)
        }
    }

    /// Ancestors are stored, too, and may take a hundred times the bytes of the document.
    @Test(.timeLimit(.minutes(1))) func ancestorsCount() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("eve", channels: ["*"])
            test.leave(5 << 20)
            var error: (any Error)?
            for number in 0..<1_000 where error == nil {
                let ancestors = (1...50).reversed().map { "\($0)-" + String(repeating: "a", count: 128) }
                do {
                    _ = try await test.push("\(number)", "51-bb", ancestors, [:], as: .user(Self.eve))
                } catch let refusal {
                    error = refusal
                }
            }
            #expect(error as? GatewayError == .volumeIsUsedUp)
        }
    }

    /// Channels take rows, and channels that the document has left keep theirs.
    @Test(.timeLimit(.minutes(1))) func editsIntoOtherChannelsAddUp() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("eve", channels: ["*"])
            test.leave(3 << 20)
            var error: (any Error)?
            for edit in 0..<20 where error == nil {
                let channels = (0..<5_000).map { JSONValue.string("c\(edit)-\($0)") }
                do {
                    _ = try await test.put("a", ["channels": .array(channels)], as: .user(Self.eve))
                } catch let refusal {
                    error = refusal
                }
            }
            #expect(error as? GatewayError == .volumeIsUsedUp)
        }
    }

    /// A document that returns to a channel uses the row that was kept.
    @Test(.timeLimit(.minutes(1))) func editsBackIntoOldChannelsDoNotAddUp() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("eve", channels: ["*"])
            test.leave(3 << 20)
            for edit in 0..<16 {
                let channels = (0..<5_000).map { JSONValue.string("c\(edit % 2)-\($0)") }
                _ = try await test.put("a", ["channels": .array(channels)], as: .user(Self.eve))
            }
        }
    }

    /// The metadata of an attachment may be a million times as long as the attachment.
    @Test(.timeLimit(.minutes(1))) func whatIsSaidOfAttachmentsCounts() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("eve", channels: ["*"])
            test.leave(10 << 20)
            let type = String(repeating: "x", count: 6 << 20)
            let body: JSONValue = ["_attachments": ["a": ["content_type": .string(type), "data": ""]]]
            _ = try await test.put("a", body, as: .user(Self.eve))
            await #expect(throws: GatewayError.volumeIsUsedUp) { try await test.put("b", body, as: .user(Self.eve)) }
            // An edit that keeps the attachment replaces the metadata.
            let stub: JSONValue = ["_attachments": ["a": ["content_type": .string(type), "data": ""]], "edit": 1]
            _ = try await test.put("a", stub, as: .user(Self.eve))
        }
    }

    /// A short document may grant each of many users each of many channels, and each has rows of its own.
    @Test(.timeLimit(.minutes(1))) func grantsCount() async throws {
        try await TestDatabase.run(functions: GrantingFunctions()) { test in
            try await test.putUser("eve", channels: ["*"])
            test.leave(5 << 20)
            _ = try await test.put("a", [:], as: .user(Self.eve))
            await #expect(throws: GatewayError.volumeIsUsedUp) { try await test.put("b", [:], as: .user(Self.eve)) }
            _ = try await test.put("a", ["edit": 1], as: .user(Self.eve))
        }
    }

    /// Each edit replaces the one before.
    @Test(.timeLimit(.minutes(1))) func editsOfTheSameDocumentDoNotAddUp() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("eve", channels: ["*"])
            test.leave(10 << 20)
            for edit in 0..<4 {
                var edited = try #require(Self.large.objectValue)
                edited["edit"] = .int(edit)
                _ = try await test.put("a", .object(edited), as: .user(Self.eve))
            }
        }
    }

    /// The others of a request are stored.
    @Test(.timeLimit(.minutes(1))) func whatIsTooMuchIsRefusedByItself() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("eve", channels: ["*"])
            test.leave(10 << 20)
            let bodies: [(id: String, body: JSONValue)] = [
                ("a", Self.large), ("b", Self.large), ("c", ["text": "small"]),
            ]
            let writes = bodies.map { DocumentWrite(id: $0.id, body: $0.body.bytes, edit: .new(replacing: nil)) }
            let results = await test.database.documents.write(
                writes, in: TestDatabase.collection, as: .user(Self.eve))
            let errors = results.map { result -> GatewayError? in
                if case .failure(let error) = result { error } else { nil }
            }
            #expect(errors == [nil, .volumeIsUsedUp, nil])
            // Refused documents do not count.
            test.leave(13 << 20)
            _ = try await test.put("b", Self.large, as: .user(Self.eve))
        }
    }

    /// A laptop tries again every few minutes, and would send its photos each time.
    @Test(.timeLimit(.minutes(1))) func attachmentsForWhichThereIsNoRoomAreNotAskedFor() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("eve", channels: ["*"])
            let stored = try await test.put("a", Self.large, as: .user(Self.eve))
            test.leave(10 << 20)
            func refusal(of revision: IncomingRevision, photo length: Int) async throws -> Int? {
                try await Self.refusal(of: revision, photo: length, by: .user(Self.eve), test)
            }
            #expect(try await refusal(of: .test("b", "1-aa", "{}"), photo: 3 << 20) == nil)
            #expect(try await refusal(of: .test("b", "1-aa", "{}"), photo: 5 << 20) == 507)
            #expect(test.database.documents.refusals.entries.map(\.document) == ["b"])
            // A photo instead of a large document makes room.
            let edit = IncomingRevision.test("a", "2-bb", "{}", after: stored.revision)
            #expect(try await refusal(of: edit, photo: 5 << 20) == nil)
        }
    }

    /// The status with which the revision is refused; `nil` if its photo is requested.
    private static func refusal(
        of revision: IncomingRevision, photo length: Int, by requester: Requester, _ test: TestDatabase
    ) async throws -> Int? {
        var revision = revision
        let digest = BlobDigest(of: Array("photo".utf8)).text
        revision.attachments = [
            "f": ["digest": .string(digest), "length": .int(length), "revpos": 1, "stub": true]
        ]
        let backend = DatabaseSyncBackend(database: test.database, requester: requester, version: .version3)
        switch try #require(try await backend.store([revision], collection: 0).first) {
        case .needs: return nil
        case .refused(let reply): return reply.code
        case .stored: return 201
        }
    }
}

/// Each document grants 100 users 40 channels with long names.
private struct GrantingFunctions: SyncFunctionRunning {
    func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] {
        let channels = Set((0..<40).map { Name("\($0)" + String(repeating: "c", count: 200)) })
        let access = Dictionary(uniqueKeysWithValues: (0..<100).map { (Name("user\($0)"), channels) })
        return calls.map { _ in SyncFunctionOutcome(access: access) }
    }

    func problem(with function: SyncFunctionSource) async throws -> String? { nil }
}
