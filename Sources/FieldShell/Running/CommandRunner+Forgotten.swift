import DocumentValues
import FieldModels
import FieldRecords
import Foundation

extension CommandRunner {
    /// The passphrase is forgotten, or the key lost: the records are kept, and what it seals is given up.
    func giveUpSealed(for change: PassphraseChange) throws -> Done {
        let (field, opener) = try session.locked()
        let lost = try field.unsentPhotos()
        let lines = lost.map(\.line)
        let count = lost.map(\.photos.count).reduce(0, +)
        let title = "Never sent, and lost with the \(opener.rawValue): \(count.of("photo"))"
        let names = ([title] + lines).joined(separator: "\n")
        if count > 0, !session.asksNothing { session.dialogue.show(names) }
        let opens = opener == .passphrase ? "forgotten passphrase" : "lost key"
        let question = "Give up what the \(opens) of \(session.folder.url.path) seals?"
        guard try session.consents(to: question) else {
            try field.close()
            return Done("Nothing was changed.", object: [:])
        }
        let moved = try session.giveUpSealed(losing: lost, of: field, for: change)
        let key = change == .keyFile ? "without a passphrase" : "with the new passphrase"
        var text = ["The folder opens \(key) now. No record is lost."]
        if count > 0 { text += [names, "They are taken out of their records, so that these can be sent."] }
        if moved.edits > 0 { text.append("Lost from the quarantine: \(moved.edits.of("record")) with edits.") }
        text.append("What nobody can open is in \(moved.folder.path).")
        text.append("Next: fieldbook login, then: fieldbook sync. It brings the photos that the gateway has.")
        return Done(
            text.joined(separator: "\n"),
            object: [
                "passphrase": .bool(change != .keyFile), "folder": .string(moved.folder.path),
                "lostPhotos": .array(lost.map(\.json)), "lostEdits": .number(JSONNumber(Int64(moved.edits))),
            ])
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
