import DocumentValues
import FieldModels

/// A version of a form that two people have published with different questions. It is taken as a whole: the questions of both
/// together would be a third form, which no person has checked.
enum PublishedVersion {
    /// - Returns: `nil` where one of them is no version of a form of questions.
    static func chosen(a: JSONObject, b: JSONObject, held: MergeSide.Letter?) -> JSONObject? {
        guard isVersion(a), isVersion(b) else { return nil }
        switch held {
        // Others may have filled it already.
        case .a?: return a
        case .b?: return b
        case nil: return ValueOrder.greater(.object(a), and: .object(b))?.objectValue
        }
    }

    private static func isVersion(_ object: JSONObject) -> Bool {
        FormDocument.reads(object) && object["nodes"]?.arrayValue != nil
    }
}
