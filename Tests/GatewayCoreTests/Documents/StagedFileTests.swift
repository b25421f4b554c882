import Foundation
import Testing

@testable import GatewayCore

/// Files of attachments that are being uploaded.
@Suite(.timeLimit(.minutes(1))) struct StagedFileTests {
    /// A gateway that was killed at a bad moment leaves a named file.
    @Test func aStartTakesAwayWhatWasOnItsWayIn() async throws {
        try await TestDatabase.run { test in
            let leftover = test.folder + "/db/.attachment-aB3dE9"
            try #require(FileManager.default.createFile(atPath: leftover, contents: nil))
            try await test.reopen()
            #expect(!FileManager.default.fileExists(atPath: leftover))
        }
    }
}
