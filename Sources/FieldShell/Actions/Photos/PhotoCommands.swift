import DocumentValues
import FieldModels
import FieldRecords

/// The photos of a record: listed, shown, saved, taken out and renamed one by one.
struct PhotoCommands {
    let session: ShellSession

    func run(_ request: PhotoRequest) async throws -> CommandResult {
        // The files of a filled form are answers: fill changes them.
        let kinds: [RecordKind] = [.inspection, .finding] + (request.action.changesPhotos ? [] : [.response])
        let reference = try RecordFinder(session: session).find(request.record, among: kinds)
        let photos = try photos(of: reference)
        if request.action == .list { return .detail(try list(photos, of: reference)) }
        let choice = PhotoChoice(session: session, photos: photos, reference: reference)
        if request.action == .caption { try choice.checkHasText(request) }
        let photo = try choice.choose(request.photo)
        if request.action.changesPhotos { try choice.checkIsAsShown(photo) }
        if request.action.needsContent { try await PhotoArrival(session: session).bring(photo, of: reference) }
        let copying = PhotoCopying(session: session, photo: photo, reference: reference)
        let change = PhotoChange(session: session, photo: photo, reference: reference)
        switch request.action {
        case .list: return .detail(try list(photos, of: reference))
        case .open: return .done(try copying.open())
        case .save: return .done(try copying.save(to: request.target ?? "."))
        case .remove: return .done(try change.remove())
        case .rename: return .done(try change.rename(to: request.target ?? ""))
        case .caption: return .done(try change.caption(request.target ?? ""))
        }
    }

    private func photos(of reference: RecordReference) throws -> [Photo] {
        let field = try session.field()
        guard reference.kind == .response else { return try field.photos.all(of: reference.kind, reference.id) }
        return ResponseFiles.of(try field.responses.find(reference.id)?.answers ?? JSONObject())
    }

    private func list(_ photos: [Photo], of reference: RecordReference) throws -> Detail {
        if let conflict = try session.field().conflicts.conflict(of: reference.kind, reference.id) {
            session.keepPhotoNumbers(of: conflict, counting: true)
        }
        session.shown.photos[reference] = photos
        let (clock, field) = (session.environment.clock, try session.field())
        return Detail(
            title: "\(photos.count.of("photo")) of \(reference.kind.rawValue) \(reference.shortID)",
            reference: reference,
            fields: try photos.enumerated().map { number, photo in
                Detail.Field(
                    label: String(number + 1),
                    value: photo.datedLine(clock) + (try AbsentPhotoText.mark(photo, in: field)))
            },
            object: [
                "_id": .string(reference.id),
                "photos": .array(try photos.map { try Self.object($0, in: field) }),
            ])
    }

    private static func object(_ photo: Photo, in field: FieldDatabase) throws -> JSONValue {
        var object: JSONObject = [
            "name": .string(photo.name), "caption": photo.caption.map { .string($0) } ?? .null,
            "takenAt": photo.takenAt.map { .string($0.description) } ?? .null,
        ]
        if try field.absentPhotos.areKnown { object["isHere"] = .bool(try field.absentPhotos.isHere(photo)) }
        return .object(object)
    }
}
