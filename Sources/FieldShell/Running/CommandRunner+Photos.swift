import DocumentValues
import FieldModels
import FieldRecords
import Foundation

/// The photos of a record: attached, shown, saved, taken out and renamed one by one.
extension CommandRunner {
    func attach(_ text: String, file: String, caption: String?) throws -> Done {
        let reference = try finder.find(text, among: [.inspection, .finding])
        try RegularFile.check(file)
        let field = try session.field()
        let photo: Photo
        switch reference.kind {
        case .finding:
            photo = try field.attach(file: file, toFinding: reference.id, caption: caption, by: session.author()).photo
        case .inspection, .site, .form, .assignment:
            photo = try field.attach(
                file: file, toInspection: reference.id, caption: caption, by: session.author()
            ).photo
        }
        session.shownPhotos[reference]?.append(photo)
        let same = try Self.sameFile(as: photo, among: field.photos(of: reference.kind, reference.id))
        let again = same.map {
            " The same file is there as \($0). Remove this one: photo remove \(reference.shortID) "
                + LineText.quoted(photo.name)
        }
        return Done(
            "Attached \(photo.name)\(photo.size), to \(reference.shortID)." + (again ?? ""),
            object: [
                "_id": .string(reference.id), "name": .string(photo.name),
                "digest": .string(photo.blob.digest.text),
            ])
    }

    /// - Returns: the name of another photo with the same bytes: an impatient hand attaches one twice.
    private static func sameFile(as photo: Photo, among photos: [Photo]) -> String? {
        photos.first { $0.blob.digest == photo.blob.digest && !$0.name.isExactly(photo.name) }?.name
    }

    func photo(_ request: PhotoRequest) throws -> CommandResult {
        let reference = try RecordFinder(session: session).find(request.record, among: [.inspection, .finding])
        let field = try session.field()
        let photos = try field.photos(of: reference.kind, reference.id)
        if request.action == .list { return .detail(try list(photos, of: reference)) }
        if request.action == .caption { try checkHasText(request, among: photos, of: reference) }
        let photo = try choose(request.photo, among: photos, of: reference)
        if request.action.changesPhotos { try checkIsAsShown(photo, of: reference) }
        switch request.action {
        case .list: return .detail(try list(photos, of: reference))
        case .open: return .done(try open(photo, of: reference))
        case .save: return .done(try save(photo, of: reference, to: request.target ?? "."))
        case .remove: return .done(try remove(photo, of: reference))
        case .rename: return .done(try rename(photo, of: reference, to: request.target ?? ""))
        case .caption: return .done(try caption(photo, of: reference, text: request.target ?? ""))
        }
    }

    private func list(_ photos: [Photo], of reference: RecordReference) throws -> Detail {
        if let conflict = try session.field().conflict(of: reference.kind, reference.id) {
            session.keepPhotoNumbers(of: conflict, counting: true)
        }
        session.shownPhotos[reference] = photos
        let clock = session.environment.clock
        return Detail(
            title: "\(photos.count.of("photo")) of \(reference.kind.rawValue) \(reference.shortID)",
            reference: reference,
            fields: photos.enumerated().map { number, photo in
                Detail.Field(label: String(number + 1), value: photo.datedLine(clock))
            },
            object: [
                "_id": .string(reference.id),
                "photos": .array(photos.map(Self.object)),
            ])
    }

    private static func object(_ photo: Photo) -> JSONValue {
        [
            "name": .string(photo.name), "caption": photo.caption.map { .string($0) } ?? .null,
            "takenAt": photo.takenAt.map { .string($0.description) } ?? .null,
        ]
    }

    /// `photo caption 1 2`: the text was forgotten.
    private func checkHasText(
        _ request: PhotoRequest, among photos: [Photo], of reference: RecordReference
    ) throws(UsageError) {
        guard request.photo == nil, let target = request.target,
            Int(target).map((1...max(1, photos.count)).contains) == true
                || photos.contains(where: { $0.name.isExactly(target) })
        else { return }
        throw UsageError(
            "Say what photo \(target.printableLine) shows: "
                + "photo caption \(reference.shortID) \(LineText.quoted(target.printableLine)) TEXT")
    }

    /// By the number that it was shown under, its name or a beginning of that; without any the only one.
    private func choose(_ text: String?, among photos: [Photo], of reference: RecordReference) throws(UsageError)
        -> Photo
    {
        guard !photos.isEmpty else { throw UsageError("The \(reference.kind.rawValue) has no photos.") }
        guard let text else {
            if photos.count == 1 { return photos[0] }
            throw UsageError(
                "Say which of the \(photos.count) photos.", hint: "See them: photo list \(reference.shortID)")
        }
        if let exact = photos.first(where: { $0.name.utf8.elementsEqual(text.utf8) }) { return exact }
        if let number = Int(text), let photo = try numbered(number, among: photos, of: reference) { return photo }
        let name = try CommandParser.choose(
            text, among: photos.map(\.name), what: "photo", hint: "See them: photo list \(reference.shortID)")
        return photos.first { $0.name.isExactly(name) } ?? photos[0]
    }

    /// A sync, or the last command, may have taken photos away since they were shown: a number stays the photo's it was.
    private func numbered(
        _ number: Int, among photos: [Photo], of reference: RecordReference
    ) throws(UsageError) -> Photo? {
        let shown = session.shownPhotos[reference] ?? photos
        guard shown.indices.contains(number - 1) else { return nil }
        let wanted = shown[number - 1]
        guard let photo = photos.first(where: { $0 == wanted }) ?? photos.first(where: { $0.isPicture(of: wanted) })
        else {
            throw UsageError(
                "Photo \(number) was \(wanted.name), which is not there any more.",
                hint: "See them: photo list \(reference.shortID)")
        }
        return photo
    }

    /// What a sync has changed since the photos were listed is looked at before it is replaced.
    private func checkIsAsShown(_ photo: Photo, of reference: RecordReference) throws(UsageError) {
        guard let shown = session.shownPhotos[reference], !shown.contains(photo) else { return }
        let old = shown.first { $0.isPicture(of: photo) } ?? shown.first { $0.name.isExactly(photo.name) }
        guard let old else { return }
        throw UsageError(
            "\(old.name) has changed since you looked at it. Nothing was done.",
            hint: "See what is there now: photo list \(reference.shortID)")
    }

    /// What a person does themselves, they know.
    private func note(_ photo: Photo, as changed: Photo, of reference: RecordReference) {
        session.shownPhotos[reference] = session.shownPhotos[reference]?.map { $0 == photo ? changed : $0 }
    }

    private func save(_ photo: Photo, of reference: RecordReference, to target: String) throws -> Done {
        var file = URL(fileURLWithPath: HomeFolder.expanding(target))
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) {
            guard isFolder.boolValue else { throw UsageError("\(file.path) is there already; nothing was saved.") }
            file.appendPathComponent(photo.name.fileName)
            guard !FileManager.default.fileExists(atPath: file.path) else {
                throw UsageError("\(file.path) is there already; nothing was saved.")
            }
        }
        let folder = file.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw UsageError("There is no folder \(folder); nothing was saved.")
        }
        try session.field().savePhoto(photo, of: reference.kind, id: reference.id, to: file)
        return Done("Saved \(file.path).", object: ["_id": .string(reference.id), "file": .string(file.path)])
    }

    /// What is shown is a copy that is not sealed.
    private func open(_ photo: Photo, of reference: RecordReference) throws -> Done {
        guard PhotoViewer.shows(photo) else {
            throw UsageError(
                "\(photo.name) is no picture, and what belongs to it may do more than show it.",
                hint: "Save it instead: photo save")
        }
        let viewer = PhotoViewer(session.environment.variables)
        let folder = try session.photoCopies.makeFolder()
        let file = folder.appendingPathComponent(photo.name.fileName)
        do {
            try session.field().savePhoto(photo, of: reference.kind, id: reference.id, to: file)
            try viewer.show(file)
        } catch {
            session.photoCopies.remove(folder)
            throw error
        }
        var object: JSONObject = ["_id": .string(reference.id)]
        guard !viewer.isWaitedFor else {
            session.photoCopies.remove(folder)
            return Done("Opened \(photo.name).", object: object)
        }
        object["file"] = .string(file.path)
        let end = session.isShell ? "until the shell ends" : "until fieldbook is used a minute later, or after that"
        return Done("Opened \(photo.name). An unencrypted copy is in \(folder.path) \(end).", object: object)
    }

    private func remove(_ photo: Photo, of reference: RecordReference) throws -> Done {
        let what = "Remove \(photo.line) from the \(reference.kind.rawValue) \(reference.shortID)"
        let owner = try ownerOfOther(photo, of: reference)
        guard try session.consents(to: owner.map { "\($0) \(what) all the same?" } ?? "\(what)?") else {
            return Done("Nothing was removed.", object: [:])
        }
        try session.field().removePhoto(photo, of: reference.kind, id: reference.id, by: session.author())
        return Done(
            "Removed \(photo.name). As long as that is the last change, it can be brought back: undo",
            object: ["_id": .string(reference.id), "removed": .string(photo.name)])
    }

    /// That a finding is somebody else's, for those of whom nobody knows that they are supervisors.
    private func ownerOfOther(_ photo: Photo, of reference: RecordReference) throws -> String? {
        let field = try session.field()
        guard reference.kind == .finding, let user = try session.settings().user,
            let owner = try field.owner(ofFinding: reference.id, with: photo, otherThan: user),
            try field.supervisorRole(of: user) != .known
        else { return nil }
        return "The finding is \(owner)'s, and the gateway lets only supervisors take photos from findings of others."
    }

    private func caption(_ photo: Photo, of reference: RecordReference, text: String) throws -> Done {
        let text = text.trimmingSpaces
        var changed = photo
        changed.caption = text.isEmpty ? nil : text
        try session.field().setCaption(
            changed.caption, ofPhoto: photo, of: reference.kind, id: reference.id, by: session.author())
        note(photo, as: changed, of: reference)
        return Done(
            text.isEmpty ? "\(photo.name) has no caption now." : "\(photo.name) has the caption: \(text)",
            object: [
                "_id": .string(reference.id), "name": .string(photo.name),
                "caption": text.isEmpty ? .null : .string(text),
            ])
    }

    /// The ending says to other programs what the file is: a name without one keeps it.
    private static func name(_ new: String, endingLike old: String) -> String {
        let ending = URL(fileURLWithPath: "/\(old)").pathExtension
        let hasOwn = new.isEmpty || new.utf8.contains(UInt8(ascii: "/")) || new.utf8.contains(UInt8(ascii: "."))
        return hasOwn || ending.isEmpty ? new : "\(new).\(ending)"
    }

    private func rename(_ photo: Photo, of reference: RecordReference, to new: String) throws -> Done {
        let name = Self.name(new, endingLike: photo.name)
        var changed = photo
        changed.name = name
        do {
            try session.field().renamePhoto(
                photo, to: name, of: reference.kind, id: reference.id, by: session.author())
        } catch let error as RecordError {
            throw UsageError("The photo was not renamed: its name \(error.problems[0].message).")
        }
        note(photo, as: changed, of: reference)
        return Done(
            "Renamed \(photo.name) to \(name).",
            object: ["_id": .string(reference.id), "name": .string(name), "was": .string(photo.name)])
    }
}

extension Photo {
    /// The same file, under another name or caption perhaps.
    fileprivate func isPicture(of other: Photo) -> Bool {
        blob.digest == other.blob.digest && attachedAt == other.attachedAt
    }
}
