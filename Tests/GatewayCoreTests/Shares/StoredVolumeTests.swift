import DocumentValues
import Testing

@testable import GatewayCore

/// Who stores much leaves room on the disk for the others.
@Suite struct StoredVolumeTests {
    private static let (eve, mara) = (Name("eve"), Name("mara"))

    @Test(arguments: [
        (0, 100, true), (0, 101, false), (60, 40, true), (60, 41, false), (100, 0, true), (101, 0, false),
    ])
    func anAccountStoresNoMoreThanIsLeft(stored: Int, bytes: Int, isAdmitted: Bool) {
        var volume = StoredVolume()
        volume.note(stored, of: Self.eve, at: 0)
        #expect(volume.admits(bytes, of: Self.eve, free: 100, at: 10) == isAdmitted)
        #expect(volume.admits(100, of: Self.mara, free: 100, at: 10))
    }

    /// By the hours of a day.
    @Test func whatWasStoredYesterdayCountsNoMore() {
        var volume = StoredVolume()
        for hour in 0..<30 { volume.note(10, of: Self.eve, at: Int64(hour) * 3_600) }
        let now: Int64 = 29 * 3_600 + 1
        #expect(volume.admits(10, of: Self.eve, free: 250, at: now))
        #expect(!volume.admits(11, of: Self.eve, free: 250, at: now))
        #expect(volume.admits(250, of: Self.eve, free: 250, at: now + 86_400))
    }

    @Test(.timeLimit(.minutes(1))) func whoFillsTheDiskIsRefusedAndListed() async throws {
        try await TestDatabase.run { test in
            for name in ["eve", "mara"] { try await test.putUser(name, channels: ["*"]) }
            test.leave(10_000)
            let large: JSONValue = ["text": .string(String(repeating: "x", count: 6_000))]
            _ = try await test.put("a", large, as: .user(Self.eve))
            let error = await #expect(throws: GatewayError.self) { try await test.put("b", large, as: .user(Self.eve)) }
            #expect(error?.status == 507)
            #expect(test.database.documents.refusals.entries.map(\.document) == ["b"])
            // What is refused is not stored.
            _ = try await test.put("c", ["text": "small"], as: .user(Self.eve))
            _ = try await test.put("d", large, as: .user(Self.mara))
            for id in ["e", "f"] { _ = try await test.put(id, large) }
            test.pass(seconds: 86_400)
            _ = try await test.put("b", large, as: .user(Self.eve))
        }
    }
}
