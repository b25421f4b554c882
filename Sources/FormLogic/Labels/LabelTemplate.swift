import DocumentValues

/// A label, a hint or a message as its author wrote it: letters, and references to answers between them.
struct LabelTemplate {
    enum Piece: Sendable {
        case scalar(Unicode.Scalar)
        /// `${name}`, as it was written.
        case reference(String)
        /// The text for a reference: nothing in it is markup.
        case value(String)

        /// `nil` for a value.
        var scalar: Unicode.Scalar? {
            guard case .scalar(let scalar) = self else { return nil }
            return scalar
        }

        func isScalar(_ mark: Unicode.Scalar) -> Bool { scalar == mark }
    }

    private(set) var pieces: [Piece] = []

    init(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        var index = 0
        // Behind it no reference is closed.
        var isClosed = true
        while index < scalars.count {
            if isClosed, scalars[index] == "$", index + 1 < scalars.count, scalars[index + 1] == "{" {
                if let end = scalars[index...].firstIndex(of: "}") {
                    pieces.append(.reference(Self.text(scalars[index...end])))
                    index = end + 1
                    continue
                }
                isClosed = false
            }
            pieces.append(.scalar(scalars[index]))
            index += 1
        }
    }

    /// With a text for each reference; one without stays as it was written.
    func filled(_ value: (String) -> String?) -> [Piece] {
        pieces.map { piece in
            guard case .reference(let reference) = piece else { return piece }
            return .value(value(reference) ?? reference)
        }
    }

    /// The references, as they were written.
    var references: [String] {
        pieces.compactMap { piece in
            guard case .reference(let reference) = piece else { return nil }
            return reference
        }
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
