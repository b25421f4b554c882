import AttachmentVault
import DocumentStore
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Single commands in a folder with a passphrase.
@Suite struct KeyUseTests {
    /// How often the passphrase was asked for.
    private final class Asked: Dialogue {
        var count = 0
        var completer = Completer()
        private let passphrase: String

        init(answering passphrase: String) { self.passphrase = passphrase }

        var isInteractive: Bool { true }
        func ask(_ prompt: String) -> Reply { .end }
        func askSecret(_ prompt: String) -> Reply {
            count += 1
            return .line(passphrase)
        }
        func show(_ text: String) {}
    }

    @Test(.timeLimit(.minutes(2))) func thePassphraseIsAskedForWhereItIsNeeded() async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("key-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = FieldFolder(path: root.appendingPathComponent("records").path)
        try FieldDatabase.create(at: folder, key: .passphrase("correct horse")).close()
        for (line, count) in [
            ("new site Mill district=hill", 0), ("sites", 0), ("sites mill", 0), ("find mill", 0), ("list", 0),
            ("status", 0),
            ("today", 0), ("outbox", 0), ("conflicts", 0), ("list --deleted", 0), ("edit mill name=Mills", 0),
            ("quarantine", 1), ("undo", 1),
        ] {
            let asked = Asked(answering: "correct horse")
            let command = try CommandParser.parse(tokens: line.split(separator: " ").map(String.init), in: .oneShot)
            let session = ShellSession(
                folder: folder.url.path, environment: .current, dialogue: asked, meter: NoProgressMeter())
            session.keyUse = command.command.keyUse
            session.asksNothing = true
            _ = try await CommandRunner(session).run(command.command)
            try session.close()
            #expect(asked.count == count, "\(line)")
        }
    }

    @Test func commandsThatMayOpenAPhotoOpenTheKeyAtOnce() throws {
        func use(_ line: String) throws -> KeyUse {
            try CommandParser.parse(tokens: line.split(separator: " ").map(String.init), in: .oneShot).command.keyUse
        }
        for line in [
            "attach k3m9 door.jpg", "photo open k3m9 1", "photo save k3m9 1 .", "photo remove k3m9 1", "export out",
            "import register.csv", "sync", "undo", "outbox retry 1", "outbox discard 1", "conflicts take k3m9 mine",
            "quarantine restore 1", "service install",
        ] {
            #expect(try use(line) == .atOnce, "\(line)")
        }
        for line in ["photo list k3m9", "outbox show 1", "conflicts show k3m9", "service status", "show k3m9"] {
            #expect(try use(line) == .ifNeeded, "\(line)")
        }
    }
}
