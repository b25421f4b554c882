import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// The folder `attachments` of an export: files with readable names, and a table that says which blob each of them is.
struct AttachmentFolder {
    private let root: URL
    /// Or why the table cannot be used, so that it is read once.
    private var files: Swift.Result<[BlobDigest: String], LineProblem>?

    init(_ root: URL) { self.root = root }

    /// Whether a file is the table of an export that the lines beside it are read with.
    static func isIndex(_ file: String, header: [String]) -> Bool {
        file.isExactly(ExportedAttachments.index) && header.containsExactly("digest")
            && header.containsExactly("record")
    }

    static func photos(of record: some FieldRecord) -> [Photo] {
        switch record {
        case let inspection as Inspection: inspection.photos
        case let finding as Finding: finding.photos
        case let response as Response: ResponseFiles.of(response.answers)
        default: []
        }
    }

    /// Brings the photos' bytes into the database, unless they are there.
    ///
    /// - Parameter isPreview: nothing is written; only looks whether the files are there.
    /// - Throws: `LineProblem` where a file is missing or has other bytes.
    mutating func install(_ photos: [Photo], into database: Database, isPreview: Bool = false) throws {
        for photo in photos {
            let storage = try database.blobStorage()
            if try storage.contains(photo.blob.digest) { continue }
            guard let path = try path(of: photo.blob.digest) else {
                throw LineProblem(
                    reason: "the attachment \(photo.name) is not in the folder \(ExportedAttachments.folder)")
            }
            try check(path, length: photo.blob.length)
            if isPreview { continue }
            let blob = try Blob(
                contentType: photo.blob.contentType ?? "application/octet-stream",
                fileURL: root.appendingPathComponent(path))
            try database.saveBlob(blob: blob)
            guard blob.digest == photo.blob.digest.text else {
                throw LineProblem(reason: "the file \(path) has other bytes than the record says")
            }
        }
    }

    /// A folder of an export may come from any source: the targets of its links are not its own files, and a pipe or a
    /// device has no end.
    private func check(_ path: String, length: UInt64?) throws(LineProblem) {
        // Of a link this is the link itself.
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: root.appendingPathComponent(path).path)
        } catch {
            throw LineProblem(reason: "the file \(path) is not there")
        }
        let (folder, file) = (
            root.resolvingSymlinksInPath(), root.appendingPathComponent(path).resolvingSymlinksInPath()
        )
        guard file.path.utf8.starts(with: (folder.path + "/").utf8) else {
            throw LineProblem(reason: "\(path) leads out of the folder")
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw LineProblem(reason: "\(path) is no plain file")
        }
        let size = (attributes[.size] as? NSNumber)?.uint64Value
        guard size ?? 0 <= FieldRecordsLimits.attachment else {
            let limit = "\(FieldRecordsLimits.attachment >> 20) MB"
            throw LineProblem(reason: "the attachment \(path) is larger than the \(limit) that a gateway takes")
        }
        if let length, length != size {
            throw LineProblem(
                reason: "the file \(path) has \(size ?? 0) bytes and not \(length), as the record says")
        }
    }

    private mutating func path(of digest: BlobDigest) throws -> String? {
        let known = files ?? Self.files(in: root.appendingPathComponent(ExportedAttachments.index))
        files = known
        return try known.get()[digest]
    }

    /// Without the table the photos are missing, and the records that have them: not the rest of the import.
    private static func files(in table: URL) -> Swift.Result<[BlobDigest: String], LineProblem> {
        guard FileManager.default.fileExists(atPath: table.path) else { return .success([:]) }
        do throws(ImportError) {
            return .success(try read(table))
        } catch {
            return .failure(LineProblem(reason: "\(ExportedAttachments.index) \(error.reason)"))
        }
    }

    private static func read(_ table: URL) throws(ImportError) -> [BlobDigest: String] {
        guard let bytes = try PlainFile.readOwn(table, upTo: FieldRecordsLimits.attachmentIndex) else {
            let limit = "\(FieldRecordsLimits.attachmentIndex >> 20) MB"
            throw ImportError(.unreadable("it has more than \(limit)"), file: ExportedAttachments.index)
        }
        var files: [BlobDigest: String] = [:]
        var rows = try CSVTable(file: ExportedAttachments.index, bytes: bytes, required: ["file", "digest"])
        while let row = rows.next() {
            // A path that leads out of the export's own folder is no attachment.
            guard let file = row["file"], let digest = row["digest"].flatMap(BlobDigest.init), !leadsOut(file) else {
                continue
            }
            files[digest] = file
        }
        return files
    }

    /// By bytes: `/` and a combining mark behind it are one `Character`.
    private static func leadsOut(_ path: String) -> Bool {
        let slash = UInt8(ascii: "/")
        return path.utf8.first == slash || path.utf8.split(separator: slash).contains { $0.elementsEqual("..".utf8) }
    }
}
