import DocumentStore
import FieldModels
import Foundation
import Glibc

extension FieldFolder {
    /// Keeps the report of an import under a name that no earlier one has: `import-2026-03-04T101500Z-2.csv` for the
    /// second of the same second.
    ///
    /// - Returns: the file.
    public func keep(_ report: ImportReport, at moment: Timestamp) throws -> URL {
        try FileManager.default.createDirectory(
            at: reports, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = "import-" + moment.description.replacing(":", with: "")
        var file = reports.appendingPathComponent("\(name).csv")
        var number = 2
        // Claims the name first, so that two imports at the same moment do not write the same file.
        while try !Self.claim(file) {
            file = reports.appendingPathComponent("\(name)-\(number).csv")
            number += 1
        }
        do { try Self.writePrivately(report.csv, to: file) } catch {
            try? FileManager.default.removeItem(at: file)
            throw error
        }
        return file
    }

    /// - Returns: false if there is such a file already.
    private static func claim(_ file: URL) throws -> Bool {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return false }
            throw StoreError.posix(errno, message: "The report cannot be written.", file: file)
        }
        close(descriptor)
        return true
    }
}
