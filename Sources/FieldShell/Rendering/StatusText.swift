import DocumentValues
import FieldRecords

/// The filled forms of a person in a line of the status.
enum StatusText {
    private static let phrases: [(ResponseStage, String)] = [
        (.draft, "begun"), (.finalised, "finalised and waiting to be sent"), (.sent, "with the reviewers"),
        (.edited, "edited since"), (.returned, "returned to you"), (.rejected, "rejected"),
    ]

    /// `Filled forms: 2 begun, 1 returned to you: list responses status=returned`; approved ones need nothing.
    static func responses(_ report: StatusReport) -> [String] {
        let parts = phrases.compactMap { stage, phrase in
            let count = report.responses[stage]
            return count == 0 ? nil : "\(count.grouped) \(phrase)"
        }
        let refused = report.refusedResponses == 0 ? [] : ["\(report.refusedResponses.grouped) refused by the gateway"]
        guard !(parts + refused).isEmpty else { return [] }
        let urgent: [ResponseStage] = [.returned, .rejected, .draft]
        let first = urgent.first { report.responses[$0] > 0 }
        let way = first.map { "list responses status=\($0.rawValue)" } ?? "list responses"
        return ["Filled forms: \((parts + refused).joined(separator: ", ")): \(way)"]
    }
}
