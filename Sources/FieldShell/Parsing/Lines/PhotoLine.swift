import DocumentValues
import FieldModels
import FieldRecords

/// Parses the lines of `photo`.
struct PhotoLine {
    let line: ParsedLine

    func photo() throws(UsageError) -> PhotoRequest {
        var request = PhotoRequest(action: try line.action(line.argument(0)), record: line.argument(1))
        let rest = Array(line.arguments.dropFirst(2))
        switch request.action {
        case .list, .open, .remove:
            guard rest.count <= 1 else {
                throw UsageError(
                    "'photo \(request.action.rawValue)' takes fewer arguments.", hint: Self.quotationAdvice)
            }
            request.photo = rest.first
        case .save:
            guard rest.count <= 2 else {
                throw UsageError("'photo save' takes fewer arguments.", hint: Self.quotationAdvice)
            }
            (request.photo, request.target) = (rest.first, rest.dropFirst().first)
        case .caption:
            guard let text = rest.last else {
                throw UsageError("Say the caption: photo caption RECORD [PHOTO] TEXT.")
            }
            (request.photo, request.target) =
                rest.count > 1 ? (rest[0], line.text(from: 3)) : (nil, text)
        case .rename:
            guard rest.count <= 2 else {
                throw UsageError("'photo rename' takes fewer arguments.", hint: Self.quotationAdvice)
            }
            // With one argument less it is the only photo that is meant.
            guard let target = rest.last else {
                throw UsageError("Say the new name: photo rename RECORD [PHOTO] NAME.")
            }
            (request.photo, request.target) = (rest.count > 1 ? rest[0] : nil, target)
        }
        return request
    }

    private static let quotationAdvice = "Put a name with spaces in quotation marks."
}
