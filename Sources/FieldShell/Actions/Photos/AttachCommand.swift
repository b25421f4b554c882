import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Attaches a photo to a record.
struct AttachCommand {
    let session: ShellSession

    func run(_ text: String, file: String, caption: String?) throws -> Done {
        let reference = try RecordFinder(session: session).find(text, among: [.inspection, .finding])
        try RegularFile.check(file)
        let field = try session.field()
        let photo: Photo
        switch reference.kind {
        case .finding:
            photo = try field.photos.attach(file: file, toFinding: reference.id, caption: caption, by: session.author())
                .photo
        case .inspection, .site, .form, .assignment, .response:
            photo = try field.photos.attach(
                file: file, toInspection: reference.id, caption: caption, by: session.author()
            ).photo
        }
        session.shown.photos[reference]?.append(photo)
        let same = try Self.sameFile(as: photo, among: field.photos.all(of: reference.kind, reference.id))
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
}
