import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Glibc

/// The photos of a record, one by one.
public struct RecordPhotos: RecordService {
    let store: RecordStore
    let submissions: Submissions

    /// - Throws: `RecordActionError` where there is no such record, or its kind has no photos.
    public func all(of kind: RecordKind, _ id: String) throws -> [Photo] {
        switch kind {
        case .inspection: return try found(inspections, id: id).photos
        case .finding: return try found(findings, id: id).photos
        case .site, .form, .assignment, .response:
            throw RecordActionError(.attachment("only inspections and findings have any."), kind: kind, id: id)
        }
    }

    private func found<Record>(_ records: RecordRepository<Record>, id: String) throws -> Record {
        guard let record = try records.find(id) else { throw RecordActionError(.notFound, kind: Record.kind, id: id) }
        return record
    }

    /// Takes a photo out of a record that is still open. Its bytes are deleted when no record refers to them any more.
    ///
    /// - Parameter photo: as the user has seen it.
    /// - Throws: `RecordActionError` where the photo is gone, or has another name, caption or content by now.
    public func remove(_ photo: Photo, of kind: RecordKind, id: String, by author: Author) throws {
        try change(photo, of: kind, id: id, by: author) { photos, index in photos.remove(at: index) }
    }

    /// - Parameter photo: as the user has seen it.
    /// - Throws: `RecordError` for a name that no file can have; `RecordActionError` for one that another photo has, and
    ///   where the photo has another name, caption or content by now.
    public func rename(
        _ photo: Photo, to new: String, of kind: RecordKind, id: String, by author: Author
    ) throws {
        try change(photo, of: kind, id: id, by: author) { photos, index in
            if photos.contains(where: { $0.name.isExactly(new) }) {
                throw RecordActionError(.attachment("another photo has the name \(new) already."), kind: kind, id: id)
            }
            photos[index].name = new
        }
    }

    /// - Parameters:
    ///   - caption: the text under the photo; `nil` removes it.
    ///   - photo: as the user has seen it.
    /// - Throws: `RecordError` for a text that is no caption; `RecordActionError` where the photo has another name, caption
    ///   or content by now.
    public func setCaption(
        _ caption: String?, ofPhoto photo: Photo, of kind: RecordKind, id: String, by author: Author
    ) throws {
        try change(photo, of: kind, id: id, by: author) { photos, index in photos[index].caption = caption }
    }

    /// - Parameter change: changes the photos, of which that at the index is meant.
    private func change(
        _ photo: Photo, of kind: RecordKind, id: String, by author: Author,
        change: (inout [Photo], Int) throws -> Void
    ) throws {
        try changePhotos(of: kind, id, by: author) { photos in
            guard let index = photos.firstIndex(of: photo) else {
                throw RecordActionError(.photoChanged(photo.name), kind: kind, id: id)
            }
            try change(&photos, index)
        }
    }

    private func changePhotos(
        of kind: RecordKind, _ id: String, by author: Author, change: (inout [Photo]) throws -> Void
    ) throws {
        switch kind {
        case .inspection:
            try inspections.update(id, by: author) { inspection in
                try submissions.checkIsOpen(inspection)
                try change(&inspection.photos)
            }
        case .finding:
            try findings.update(id, by: author) { finding in
                try submissions.checkIsOpen(inspectionOf: finding)
                try change(&finding.photos)
            }
        case .site, .form, .assignment, .response: _ = try all(of: kind, id)
        }
    }

    /// Writes a photo's bytes into a new file that only its owner can read.
    ///
    /// - Throws: `RecordActionError` where the bytes are not here, or damaged; an error of the system where the file is there
    ///   already or cannot be written.
    public func save(_ photo: Photo, of kind: RecordKind, id: String, to file: URL) throws {
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
