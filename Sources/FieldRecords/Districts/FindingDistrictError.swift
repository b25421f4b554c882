import DocumentValues
import FieldModels

/// A finding cannot go to a district other than that of its inspection.
public struct FindingDistrictError: AdvisingError, Sendable {
    @Exact public private(set) var finding: String
    /// The problem with its district, as a text behind the field's name: `must be hill, which is its inspection's`.
    public let problem: AdvisedText

    public var advised: AdvisedText {
        "The finding \(RecordKind.finding.shortID(of: finding)) was not saved: district \(problem)."
    }
}
