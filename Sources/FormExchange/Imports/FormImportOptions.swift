import DocumentValues
import FormLogic

/// How forms of other programs are read.
package struct FormImportOptions: Sendable {
    /// The file, for messages and for the id of a form that names none.
    package var file: String
    /// The form's id instead of that in the file.
    package var formID: Name?
    /// Questions that cannot be asked here become hidden ones instead of errors.
    package var skipsUnsupported: Bool
    /// A form whose records ODK would encrypt is read; the vault and the gateway seal records otherwise.
    package var ignoresEncryption: Bool

    package init(
        file: String, formID: Name? = nil, skipsUnsupported: Bool = false, ignoresEncryption: Bool = false
    ) {
        self.file = file
        self.formID = formID
        self.skipsUnsupported = skipsUnsupported
        self.ignoresEncryption = ignoresEncryption
    }

    /// The file's name without folder and ending, with `_` for all that an id cannot have.
    var derivedID: Name {
        let name = file.split(atByte: "/").last ?? "form"
        let stem = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
        var text = String.UnicodeScalarView()
        for scalar in stem.unicodeScalars.prefix(64) {
            let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            text.append(isKept || scalar == "_" || scalar == "-" || scalar == "." ? scalar : "_")
        }
        let begins = text.first.map { $0 == "_" || $0.properties.isAlphabetic } ?? false
        return Name(begins ? String(text) : "_" + String(text))
    }
}
