import DocumentValues

extension FieldValue {
    /// `score=88`: a name of letters, digits, `.`, `-` and `_`, then the value, which may be empty.
    init?(parsing text: String) {
        // By scalars: an accent at the beginning of the value does not hide the sign in front of it.
        let scalars = text.unicodeScalars
        guard let separator = scalars.firstIndex(of: "="), separator > scalars.startIndex else { return nil }
        let field = scalars[..<separator]
        guard let first = field.first, !first.properties.isGraphemeExtend, field.allSatisfy(Self.mayName) else {
            return nil
        }
        self.init(String(field), text: String(scalars[scalars.index(after: separator)...]))
    }

    private static func mayName(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isAlphabetic || properties.numericType != nil || properties.isGraphemeExtend
            || "._-".unicodeScalars.contains(scalar)
    }
}
