import DocumentValues
import FieldModels
import FieldRecords

extension Photo {
    var line: String { name + (caption.map { ": \($0)" } ?? "") + size }

    /// `, 5,860 KB`; nothing where it is not known.
    var size: String { blob.length.map { ", \((($0 + 1023) / 1024).grouped) KB" } ?? "" }

    /// The same with the moment that the camera has noted.
    func datedLine(_ clock: LocalClock) -> String { line + (takenAt.map { ", taken \(clock.text($0))" } ?? "") }
}
