/// Whether people can type a password that comes from a file.
package enum TypedPassword {
    /// Why people cannot type it: it has an invisible character at an end, such as the mark with which Windows begins a
    /// text.
    ///
    /// - Returns: `nil` for one that they can.
    package static func problem(with password: String) -> String? {
        let scalars = password.unicodeScalars
        if scalars.first == "\u{FEFF}" {
            return "begins with a byte order mark, which cannot be typed. Save it as UTF-8 without one"
        }
        let ends = [scalars.first, scalars.last].compactMap(\.self)
        return ends.contains(where: \.properties.isWhitespace)
            ? "has a space before or after the password, which cannot be seen. Remove it" : nil
    }
}
