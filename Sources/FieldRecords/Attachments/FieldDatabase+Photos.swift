import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Glibc

/// The photos of a record, one by one.
extension FieldDatabase {
    /// - Throws: `RecordActionError` where there is no such record, or its kind has no photos.
    public func photos(of kind: RecordKind, _ id: String) throws -> [Photo] {
        switch kind {
        case .inspection: return try found(inspections, id: id).photos
        case .finding: return try found(findings, id: id).photos
        case .site, .form, .assignment:
            throw RecordActionError(.attachment("only inspections and findings have any."), kind: kind, id: id)
        }
    }

    private func found<Record>(_ records: RecordRepository<Record>, id: String) throws -> Record {
        guard let record = try records.find(id) else { throw RecordActionError(.notFound, kind: Record.kind, id: id) }
        return record
    }

    /// Takes a photo out of a record that is still open. Its bytes go once nothing refers to them any more.
    public func removePhoto(_ name: String, of kind: RecordKind, id: String, by author: Author) throws {
        try changePhotos(of: kind, id, by: author) { photos in
            photos.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
        }
    }

    /// Removes what somebody has looked at.
    ///
    /// - Throws: `RecordActionError` where the photo is gone, or has another name, caption or content by now.
    public func removePhoto(seen photo: Photo, of kind: RecordKind, id: String, by author: Author) throws {
        try changePhotos(of: kind, id, by: author) { photos in
            guard photos.contains(photo) else {
                throw RecordActionError(
                    .attachment("somebody has changed \(photo.name) meanwhile. Look again: photo list"), kind: kind,
                    id: id)
            }
            photos.removeAll { $0 == photo }
        }
    }

    /// - Throws: `RecordError` for a name that no file can have; `RecordActionError` for one that another photo has.
    public func renamePhoto(
        _ name: String, to new: String, of kind: RecordKind, id: String, by author: Author
    ) throws {
        try changePhotos(of: kind, id, by: author) { photos in
            if photos.contains(where: { $0.name.utf8.elementsEqual(new.utf8) }) {
                throw RecordActionError(.attachment("another photo has the name \(new) already."), kind: kind, id: id)
            }
            for place in photos.indices where photos[place].name.utf8.elementsEqual(name.utf8) {
                photos[place].name = new
            }
        }
    }

    /// - Parameter caption: what the photo shows; `nil` takes it away.
    /// - Throws: `RecordError` for a text that is no caption.
    public func setCaption(
        _ caption: String?, ofPhoto name: String, of kind: RecordKind, id: String, by author: Author
    ) throws {
        try changePhotos(of: kind, id, by: author) { photos in
            for index in photos.indices where photos[index].name.isExactly(name) { photos[index].caption = caption }
        }
    }

    private func changePhotos(
        of kind: RecordKind, _ id: String, by author: Author, change: (inout [Photo]) throws -> Void
    ) throws {
        switch kind {
        case .inspection:
            try inspections.update(id, by: author) { inspection in
                try inspection.checkIsOpen()
                try change(&inspection.photos)
            }
        case .finding: try findings.update(id, by: author) { try change(&$0.photos) }
        case .site, .form, .assignment: _ = try photos(of: kind, id)
        }
    }

    /// Writes a photo's bytes into a new file that only its owner can read.
    ///
    /// - Throws: `RecordActionError` where the bytes are not here, or damaged; an error of the system where the file is there
    ///   already or cannot be written.
    public func savePhoto(_ photo: Photo, of kind: RecordKind, id: String, to file: URL) throws {
        do {
            try copyPhoto(photo, of: kind, id: id, to: file)
        } catch let error as StoreError where error.code == .corruptData {
            throw RecordActionError(.photoDamaged(photo.name), kind: kind, id: id)
        }
    }

    private func copyPhoto(_ photo: Photo, of kind: RecordKind, id: String, to file: URL) throws {
        guard let reader = try database.blobStorage().reader(for: photo.blob.digest) else {
            throw RecordActionError(.photoMissing(photo.name), kind: kind, id: id)
        }
        defer { reader.close() }
        let descriptor = Glibc.open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: [NSFilePathErrorKey: file.path])
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            while let portion = try reader.read(upTo: FieldRecordsLimits.attachmentPortion) {
                try handle.write(contentsOf: Data(portion))
            }
            try handle.close()
        } catch {
            // Half a photo would be in the way of the next attempt.
            unlink(file.path)
            throw error
        }
    }
}
