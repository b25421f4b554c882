import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// Copies photos out of the vault into `attachments/<day>-<site>/<name>`, and writes the table that tells which file is
/// which blob.
final class AttachmentExport {
    /// Paths inside the export, by the record's id.
    private(set) var paths: [String: [String]] = [:]

    private let root: ExportFolder
    private let database: Database
    private let siteNames: [String: String]
    private var taken: Set<String> = []
    private var table = CSVWriter()

    init(folder root: ExportFolder, database: Database, siteNames: [String: String]) {
        self.root = root
        self.database = database
        self.siteNames = siteNames
        table.append(["file", "collection", "record", "name", "caption", "content_type", "bytes", "digest"])
    }

    func write(_ inspections: [Inspection], _ findings: [Finding], report: inout ExportReport) throws {
        for inspection in inspections {
            let folder = folder(on: inspection.date, at: inspection.site)
            try write(inspection.photos, of: inspection.id, .inspection, in: folder, &report)
        }
        for finding in findings {
            try write(finding.photos, of: finding.id, .finding, in: folder(on: finding.date, at: finding.site), &report)
        }
        guard report.attachments > 0 else { return }
        try root.write(table.bytes, to: AttachmentFolder.index)
        report.files.append(ExportReport.File(name: AttachmentFolder.index, records: report.attachments))
    }

    private func folder(on date: CalendarDay, at site: String) -> String {
        "\(AttachmentFolder.name)/\(date)-\((siteNames[site] ?? site).fileName)"
    }

    private func write(
        _ photos: [Photo], of record: String, _ kind: RecordKind, in folder: String, _ report: inout ExportReport
    ) throws {
        for photo in photos {
            guard let reader = try database.blobStorage().reader(for: photo.blob.digest) else {
                report.missingAttachments.append("\(record): \(photo.name)")
                continue
            }
            defer { reader.close() }
            let path = unused(photo.name.fileName, in: folder)
            try copy(reader, to: root.newFile(path))
            paths[record, default: []].append(path)
            report.attachments += 1
            table.append([
                path, kind.plural, record, photo.name, photo.caption ?? "", photo.blob.contentType ?? "",
                String(reader.length), photo.blob.digest.text,
            ])
        }
    }

    private func copy(_ reader: any BlobReader, to file: FileHandle) throws {
        while let portion = try reader.read(upTo: FieldRecordsLimits.attachmentPortion) {
            try file.write(contentsOf: Data(portion))
        }
        try file.close()
    }

    private func unused(_ name: String, in folder: String) -> String {
        let parts = (stem: (name as NSString).deletingPathExtension, suffix: (name as NSString).pathExtension)
        var path = "\(folder)/\(name)"
        var number = 2
        while !taken.insert(path).inserted {
            path = "\(folder)/\(parts.stem)-\(number)" + (parts.suffix.isEmpty ? "" : ".\(parts.suffix)")
            number += 1
        }
        return path
    }
}

extension String {
    /// A name that any file system takes, as close to this text as that allows: no folder, no control character, no
    /// space to be quoted, at most 80 characters.
    var fileName: String {
        let kept = unicodeScalars.map { scalar -> Character in
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isPlain || "._".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
        }
        let words = String(kept).split(separator: "-").joined(separator: "-")
        let name = words.drop { $0 == "." }
        return name.isEmpty ? "unnamed" : String(name.suffix(80))
    }
}
