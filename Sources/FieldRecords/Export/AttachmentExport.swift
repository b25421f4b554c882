import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// Copies photos out of the vault into `attachments/<day>-<site>/<name>`, and writes the table that shows which file is
/// which blob.
final class AttachmentExport {
    /// Paths inside the export, by the record.
    private var paths: [RecordKind: [Name: [String]]] = [:]

    private let root: ExportFolder
    private let database: Database
    private let siteNames: [Name: String]
    /// As file systems see them that ignore case and normalization, such as that of a stick.
    private var taken: Set<Name> = []
    /// The number that is tried next, by the file whose name is taken: a folder may have thousands of one name.
    private var numbers: [Name: Int] = [:]
    private var table = CSVWriter()

    init(folder root: ExportFolder, database: Database, siteNames: [Name: String]) {
        self.root = root
        self.database = database
        self.siteNames = siteNames
        table.append(["file", "collection", "record", "name", "caption", "content_type", "bytes", "digest"])
    }

    func write(photosOf inspection: Inspection, report: inout ExportReport) throws {
        try write(
            inspection.photos, of: inspection.id, kind: .inspection,
            in: folder(on: inspection.date, at: inspection.site), report: &report)
    }

    func write(photosOf finding: Finding, report: inout ExportReport) throws {
        try write(
            finding.photos, of: finding.id, kind: .finding, in: folder(on: finding.date, at: finding.site),
            report: &report)
    }

    func write(filesOf response: Response, report: inout ExportReport) throws {
        let day = (response.startedAt ?? response.envelope.createdAt)?.day
        let subject = response.site.map { siteNames[Name($0)] ?? $0 } ?? response.form
        let name = [day?.description, subject.fileName].compactMap(\.self).joined(separator: "-")
        try write(
            ResponseFiles.of(response.answers), of: response.id, kind: .response,
            in: "\(ExportedAttachments.folder)/\(name)", report: &report)
    }

    /// Writes the table of all that were copied.
    func finish(report: inout ExportReport) throws {
        guard report.attachments > 0 else { return }
        try root.write(table.bytes, to: ExportedAttachments.index)
        report.files.append(ExportReport.File(name: ExportedAttachments.index, records: report.attachments))
    }

    private func folder(on date: CalendarDay, at site: String) -> String {
        "\(ExportedAttachments.folder)/\(date)-\((siteNames[Name(site)] ?? site).fileName)"
    }

    private func write(
        _ photos: [Photo], of record: String, kind: RecordKind, in folder: String, report: inout ExportReport
    ) throws {
        for photo in photos {
            do {
                guard let copied = try copy(photo, to: folder) else {
                    report.missingAttachments.append("\(record): \(photo.name)")
                    continue
                }
                paths[kind, default: [:]][Name(record), default: []].append(copied.path)
                report.attachments += 1
                table.append([
                    copied.path, kind.plural, record, photo.name, photo.caption ?? "", photo.blob.contentType ?? "",
                    String(copied.bytes), photo.blob.digest.text,
                ])
            } catch let error as StoreError where error.code == .corruptData {
                report.damagedAttachments.append("\(record): \(photo.name)")
            }
        }
    }

    /// - Returns: where the copy is, and its size; `nil` where the photo's bytes are not here.
    private func copy(_ photo: Photo, to folder: String) throws -> (path: String, bytes: UInt64)? {
        guard let reader = try database.blobStorage().reader(for: photo.blob.digest) else { return nil }
        defer { reader.close() }
        let path = unused(photo.name.fileName, in: folder)
        let file = try root.newFile(path)
        do {
            while let portion = try reader.read(upTo: FieldRecordsLimits.attachmentPortion) {
                try file.write(contentsOf: Data(portion))
            }
            try file.close()
        } catch {
            // Half a picture looks like one.
            try root.remove(path)
            throw error
        }
        return (path, reader.length)
    }

    /// Those of a record's photos, in one text; `nil` where none was copied.
    func paths(of record: some FieldRecord) -> String? {
        paths[type(of: record).kind]?[Name(record.id)]?.joined(separator: "; ")
    }

    private func unused(_ name: String, in folder: String) -> String {
        let key = Self.folded("\(folder)/\(name)")
        let number = numbers[key, default: 2]
        if taken.contains(key) { numbers[key] = number + 1 }
        let free = FileNameParts(name).firstUnused(from: number) {
            !taken.insert(Self.folded("\(folder)/\($0)")).inserted
        }
        return "\(folder)/\(free)"
    }

    private static func folded(_ path: String) -> Name {
        Name(path.streamSafe.lowercased().precomposedStringWithCanonicalMapping)
    }
}

extension String {
    /// A name that any file system takes, as close to this text as that allows: no folder, no control character, no
    /// space to be quoted, neither hidden nor like an option, and not too long. Of a longer one the end is kept, which
    /// says what kind of file it is.
    public var fileName: String {
        var kept = UnicodeScalarView()
        for scalar in unicodeScalars {
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if isPlain || scalar == "." || scalar == "_" {
                kept.append(scalar)
            } else if kept.last != "-" {
                kept.append("-")
            }
        }
        while kept.last == "-" { kept.removeLast() }
        let name = kept.suffix(fitting: FieldRecordsLimits.exportedName).drop { $0 == "." || $0 == "-" }
        return name.isEmpty ? "unnamed" : String(name)
    }
}

extension String.UnicodeScalarView {
    /// As many of the last scalars as have no more than so many bytes.
    fileprivate func suffix(fitting bytes: Int) -> Substring.UnicodeScalarView {
        var room = bytes
        var start = endIndex
        while start > startIndex {
            let next = index(before: start)
            room -= UTF8.width(self[next])
            guard room >= 0 else { break }
            start = next
        }
        return self[start...]
    }
}
