import DocumentValues
import FieldModels
import FieldRecords
import Foundation

/// The passphrase is forgotten, or the key lost: the records are kept, and the photos that it seals are given up.
struct ForgottenCommand {
    let session: ShellSession

    func giveUpSealed(for change: PassphraseChange) throws -> Done {
        let locked = LockedFolder(session: session)
        let (field, opener) = try locked.open()
        let lost = try field.forgottenPassphrase.unsentPhotos()
        let photos = Self.photos(lost, with: opener)
        if let photos, !session.asksNothing { session.dialogue.show(photos) }
        let opens = opener == .passphrase ? "forgotten passphrase" : "lost key"
        let question = "Give up everything that is sealed by the \(opens) of \(session.folder.url.path)?"
        guard try session.consents(to: question) else {
            try field.close()
            return Done("Nothing was changed.", object: [:])
        }
        let moved = try locked.giveUpSealed(losing: lost, of: field, for: change)
        let text = Self.outcome(change, photos: photos, edits: moved.edits, folder: moved.folder.path)
        return Done(
            text,
            object: [
                "passphrase": .bool(change != .keyFile), "folder": .string(moved.folder.path),
                "lostPhotos": .array(lost.map(\.json)), "lostEdits": .number(JSONNumber(Int64(moved.edits))),
            ])
    }

    /// - Returns: the photos that are lost for good, a line a record; `nil` if all were sent.
    private static func photos(_ lost: [UnsentPhotos], with opener: Forgotten) -> String? {
        let count = lost.map(\.photos.count).reduce(0, +)
        guard count > 0 else { return nil }
        let title = "Never sent, and lost with the \(opener.rawValue): \(count.of("photo"))"
        return ([title] + lost.map(\.line)).joined(separator: "\n")
    }

    private static func outcome(_ change: PassphraseChange, photos: String?, edits: Int, folder: String) -> String {
        let key = change == .keyFile ? "without a passphrase" : "with the new passphrase"
        var lines = ["The folder opens \(key) now. No record is lost."]
        if let photos { lines += [photos, "They are taken out of their records, so that these can be sent."] }
        if edits > 0 { lines.append("Lost from the quarantine: \(edits.of("record")) with edits.") }
        lines.append("The files that can no longer be opened are in \(folder).")
        lines.append("Next: fieldbook login, then: fieldbook sync. It brings the photos that the gateway has.")
        return lines.joined(separator: "\n")
    }
}

extension UnsentPhotos {
    /// `inspection k3m9x2pq7d, Old mill, 2026-11-22 routine: door.jpg`.
    fileprivate var line: String {
        let names = photos.map { $0.name }.joined(separator: ", ")
        return "  \(record.kind.rawValue) \(record.shortID), \(title): \(names)"
    }

    fileprivate var json: JSONValue {
        [
            "kind": .string(record.kind.rawValue), "_id": .string(record.id), "title": .string(title),
            "photos": .array(photos.map { .string($0.name) }),
        ]
    }
}
