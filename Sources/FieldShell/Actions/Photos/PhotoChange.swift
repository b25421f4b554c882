import DocumentValues
import FieldModels
import FieldRecords
import Foundation

/// Takes a photo out of its record, or gives it another name or caption.
struct PhotoChange {
    let session: ShellSession
    let photo: Photo
    let reference: RecordReference

    func remove() throws -> Done {
        let what = "Remove \(photo.line) from the \(reference.kind.rawValue) \(reference.shortID)"
        let owner = try ownerOfOther()
        guard try session.consents(to: owner.map { "\($0) \(what) all the same?" } ?? "\(what)?") else {
            return Done("Nothing was removed.", object: [:])
        }
        try session.field().photos.remove(photo, of: reference.kind, id: reference.id, by: session.author())
        return Done(
            "Removed \(photo.name). As long as that is the last change, it can be brought back: undo",
            object: ["_id": .string(reference.id), "removed": .string(photo.name)])
    }

    /// A note that the finding is another user's, unless the user is known to be a supervisor.
    private func ownerOfOther() throws -> String? {
        let field = try session.field()
        guard reference.kind == .finding, let user = try session.settings().user,
            let owner = try field.owners.owner(ofFinding: reference.id, with: photo, otherThan: user),
            try field.store.supervisorRole(of: user) != .known
        else { return nil }
        return "The finding is \(owner)'s, and the gateway lets only supervisors take photos from findings of others."
    }

    func caption(_ typed: String) throws -> Done {
        let text = typed.trimmingSpaces
        var changed = photo
        changed.caption = text.isEmpty ? nil : text
        try session.field().photos.setCaption(
            changed.caption, ofPhoto: photo, of: reference.kind, id: reference.id, by: session.author())
        note(changed)
        return Done(
            text.isEmpty ? "\(photo.name) has no caption now." : "\(photo.name) has the caption: \(text)",
            object: [
                "_id": .string(reference.id), "name": .string(photo.name),
                "caption": text.isEmpty ? .null : .string(text),
            ])
    }

    /// The ending of the name shows the type of the file to other programs, so a new name without one gets the old
    /// ending.
    private static func name(_ new: String, endingLike old: String) -> String {
        let ending = URL(fileURLWithPath: "/\(old)").pathExtension
        let hasOwn = new.isEmpty || new.utf8.contains(UInt8(ascii: "/")) || new.utf8.contains(UInt8(ascii: "."))
        return hasOwn || ending.isEmpty ? new : "\(new).\(ending)"
    }

    func rename(to new: String) throws -> Done {
        let name = Self.name(new, endingLike: photo.name)
        var changed = photo
        changed.name = name
        do {
            try session.field().photos.rename(
                photo, to: name, of: reference.kind, id: reference.id, by: session.author())
        } catch let error as RecordError {
            throw UsageError("The photo was not renamed: its name \(error.problems[0].message).")
        }
        note(changed)
        return Done(
            "Renamed \(photo.name) to \(name).",
            object: ["_id": .string(reference.id), "name": .string(name), "was": .string(photo.name)])
    }

    /// The user knows their own changes.
    private func note(_ changed: Photo) {
        session.shown.photos[reference] = session.shown.photos[reference]?.map { $0 == photo ? changed : $0 }
    }
}
