import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// Photos and other files of inspections and findings.
extension RecordPhotos {
    /// Adds a file to an inspection that is still open. The file is copied, piece by piece, into the sealed storage.
    @discardableResult
    public func attach(
        file path: String, toInspection id: String, caption: String?, by author: Author
    ) throws -> (inspection: Inspection, photo: Photo) {
        guard let inspection = try inspections.find(id) else {
            throw RecordActionError(.notFound, kind: .inspection, id: id)
        }
        // Before the file is copied.
        try submissions.checkIsOpen(inspection)
        let photo = try stored(path, caption: caption, by: author, for: .inspection, id: id)
        return try add(photo, toInspection: id, by: author)
    }

    /// - Throws: `RecordActionError` where the inspection was handed in while the file was copied.
    private func add(
        _ photo: Photo, toInspection id: String, by author: Author
    ) throws -> (inspection: Inspection, photo: Photo) {
        var photo = photo
        let changed = try inspections.update(id, by: author) { inspection in
            try submissions.checkIsOpen(inspection)
            photo.name = Self.unused(photo.name, among: inspection.photos)
            inspection.photos.append(photo)
        }
        return (changed, photo)
    }

    /// Adds a file to a finding.
    @discardableResult
    public func attach(
        file path: String, toFinding id: String, caption: String?, by author: Author
    ) throws -> (finding: Finding, photo: Photo) {
        guard let finding = try findings.find(id) else { throw RecordActionError(.notFound, kind: .finding, id: id) }
        // Before the file is copied.
        try InspectionTies.check(finding, among: findings.inspections)
        try submissions.checkIsOpen(inspectionOf: finding)
        let photo = try stored(path, caption: caption, by: author, for: .finding, id: id)
        return try add(photo, toFinding: id, by: author)
    }

    /// - Throws: `RecordActionError` where its inspection was handed in while the file was copied.
    func add(_ photo: Photo, toFinding id: String, by author: Author) throws -> (finding: Finding, photo: Photo) {
        var photo = photo
        let changed = try findings.update(id, by: author) { finding in
            try submissions.checkIsOpen(inspectionOf: finding)
            photo.name = Self.unused(photo.name, among: finding.photos)
            finding.photos.append(photo)
        }
        return (changed, photo)
    }

    /// Copies a file into the sealed storage, for a record that names it among its answers.
    ///
    /// - Parameter present: the files that the record has, whose names the new one must not have.
    /// - Throws: `RecordActionError` where there is no such file, or it cannot be added.
    package func stored(
        _ path: String, besides present: [Photo], by author: Author, for record: RecordReference
    ) throws -> Photo {
        var photo = try stored(path, caption: nil, by: author, for: record.kind, id: record.id)
        photo.name = Self.unused(photo.name, among: present)
        return photo
    }

    private func stored(
        _ path: String, caption: String?, by author: Author, for kind: RecordKind, id: String
    ) throws -> Photo {
        let url = URL(fileURLWithPath: HomeFolder.expanding(path))
        try check(url, for: kind, id: id)
        let blob = try Blob(contentType: FileType.contentType(of: url), fileURL: url)
        try database.saveBlob(blob: blob)
        guard let digest = blob.digest.flatMap(BlobDigest.init) else {
            throw RecordActionError(.attachment("\(url.lastPathComponent) could not be stored."), kind: kind, id: id)
        }
        let metadata = BlobMetadata(digest: digest, length: blob.length, contentType: blob.contentType)
        return Photo(
            name: url.lastPathComponent, caption: caption, takenAt: try Self.cameraTime(url)?.moment(in: .current),
            attachedAt: author.moment, blob: metadata)
    }

    private static func cameraTime(_ url: URL) throws -> CameraTime? {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        return CameraTime(jpeg: Array(try handle.read(upToCount: FieldRecordsLimits.exifBytes) ?? Data()))
    }

    private func check(_ url: URL, for kind: RecordKind, id: String) throws {
        let name = url.lastPathComponent
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw RecordActionError(.attachment("there is no file \(url.path)."), kind: kind, id: id)
        }
        if isFolder.boolValue { throw RecordActionError(.attachment("\(name) is a folder."), kind: kind, id: id) }
        // For a link the attributes would be those of the link itself.
        let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            let reason = "\(name) is no regular file; a device or a pipe cannot be attached."
            throw RecordActionError(.attachment(reason), kind: kind, id: id)
        }
        let size = attributes[.size] as? NSNumber
        if size?.uint64Value == 0 { throw RecordActionError(.attachment("\(name) is empty."), kind: kind, id: id) }
        guard size?.uint64Value ?? 0 <= FieldRecordsLimits.attachment else {
            let limit = "\(FieldRecordsLimits.attachment >> 20) MB"
            let reason = "\(name) is larger than the \(limit) that a gateway takes. Make it smaller, then attach it."
            throw RecordActionError(.attachment(reason), kind: kind, id: id)
        }
    }

    /// Two photos of one record never have the same name: `door.jpg`, `door-2.jpg`.
    private static func unused(_ name: String, among photos: [Photo]) -> String {
        let taken = Set(photos.map { Name($0.name) })
        return FileNameParts(name).firstUnused { taken.contains(Name($0)) }
    }
}
