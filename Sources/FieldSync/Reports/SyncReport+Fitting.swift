import Foundation

extension SyncReport {
    /// Shortened to as many names as there is room for: notes that are too large for the file could not be read.
    func fitted(naming limit: Int, bytes: Int) -> SyncReport {
        var (report, named) = (self, limit)
        report.cut(to: named)
        while named > 0, report.size > bytes {
            named /= 2
            report.cut(to: named)
        }
        return report
    }

    /// In bytes. An encoding error is reported when the notes are written.
    private var size: Int { (try? JSONEncoder().encode(self).count) ?? 0 }
}
