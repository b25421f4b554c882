import DocumentValues
import FieldModels
import FieldRecords

extension Finding {
    var line: String {
        text + (risk.map { ", \($0.rawValue) risk" } ?? "") + (corrected.map { "; fixed on \($0)" } ?? "")
            + (photos.isEmpty ? "" : "; \(photos.count.of("photo"))")
    }
}
