import DocumentValues

/// The vocabulary that an element or attribute belongs to, as far as forms and workbooks need it.
package enum MarkupNamespace: Sendable, Equatable {
    /// Attributes without a prefix.
    case none
    case xforms, html, javaRosa, openRosa, odk, entities
    /// Parts of a workbook.
    case spreadsheet, relationships
    /// Parts of a workbook in the OpenDocument format: its values, its tables, its texts.
    case office, table, officeText
    case other

    /// Namespaces are compared by their text; those of workbooks come in two spellings.
    init(_ address: some StringProtocol) {
        switch String(address) {
        case "": self = .none
        case "http://www.w3.org/2002/xforms": self = .xforms
        case "http://www.w3.org/1999/xhtml": self = .html
        case "http://openrosa.org/javarosa": self = .javaRosa
        case "http://openrosa.org/xforms": self = .openRosa
        case "http://www.opendatakit.org/xforms": self = .odk
        case "http://www.opendatakit.org/xforms/entities": self = .entities
        case "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
            "http://purl.oclc.org/ooxml/spreadsheetml/main":
            self = .spreadsheet
        case "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            "http://purl.oclc.org/ooxml/officeDocument/relationships":
            self = .relationships
        case "urn:oasis:names:tc:opendocument:xmlns:office:1.0": self = .office
        case "urn:oasis:names:tc:opendocument:xmlns:table:1.0": self = .table
        case "urn:oasis:names:tc:opendocument:xmlns:text:1.0": self = .officeText
        default: self = .other
        }
    }

    /// Of a prefix that the document never declares: older tools left out a declaration now and then.
    init(undeclared prefix: some StringProtocol) {
        switch String(prefix) {
        case "h": self = .html
        case "jr": self = .javaRosa
        case "orx": self = .openRosa
        case "odk": self = .odk
        case "entities": self = .entities
        case "r": self = .relationships
        default: self = .other
        }
    }
}

/// An attribute, or an element with its attributes.
package struct MarkupAttribute: Sendable {
    let namespace: MarkupNamespace
    /// The name without its prefix.
    let local: String
    /// The name as it is written, `jr:count`.
    let written: String
    let value: String
}

package struct MarkupTag: Sendable {
    let namespace: MarkupNamespace
    let local: String
    let attributes: [MarkupAttribute]
    /// Counted from 1.
    let line: Int

    /// The value of an attribute without prefix, or in a vocabulary.
    subscript(_ local: String, in namespace: MarkupNamespace = .none) -> String? {
        attributes.first { $0.namespace == namespace && $0.local == local }?.value
    }
}
