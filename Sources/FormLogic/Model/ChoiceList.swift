import DocumentValues

/// One of the answers from which a person chooses.
package struct Choice: Sendable {
    /// The answer that is stored.
    package var name: Name
    /// The text that is shown; `nil`: the name.
    package var label: FormText?
    package var media: FormMedia
    /// The other columns of its row, for filters and look-ups, under their exact headers.
    package var columns: [NamedText]
    /// The row of its sheet or the line of its file, for messages.
    package var sourceRow: Int?
    /// Members that this version does not know.
    package var rest: JSONObject

    package init(
        name: Name, label: FormText? = nil, media: FormMedia = FormMedia(), columns: [NamedText] = [],
        sourceRow: Int? = nil, rest: JSONObject = [:]
    ) {
        self.name = name
        self.label = label
        self.media = media
        self.columns = columns
        self.sourceRow = sourceRow
        self.rest = rest
    }
}

/// The choices of one or several questions, in the order in which they are shown.
package struct ChoiceList: Sendable {
    package enum Content: Sendable {
        case choices([Choice])
        /// A list that is too long for a definition: a JSON array of choices.
        case blob(BlobMetadata)
    }

    package var name: Name
    package var content: Content

    package init(name: Name, content: Content) {
        self.name = name
        self.content = content
    }

    package init(name: Name, choices: [Choice]) { self.init(name: name, content: .choices(choices)) }

    /// None of a list that is a blob.
    package var choices: [Choice] {
        get {
            guard case .choices(let choices) = content else { return [] }
            return choices
        }
        set { content = .choices(newValue) }
    }
}

/// A file that belongs to a form: choices, rows to look up, a picture.
package struct FormFile: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case csv, xml, geojson, media

        /// By the end of a file's name.
        package init(fileName: Name) {
            let parts = fileName.text.split(atByte: ".")
            let ending = parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
            self = Self(exactly: ending) ?? .media
        }
    }

    package var name: Name
    package var kind: Kind
    /// `nil` until the file was added.
    package var blob: BlobMetadata?
    package var rest: JSONObject

    package init(name: Name, kind: Kind, blob: BlobMetadata? = nil, rest: JSONObject = [:]) {
        self.name = name
        self.kind = kind
        self.blob = blob
        self.rest = rest
    }

    /// What expressions call it: a table by its name without the ending.
    package var instanceName: Name {
        switch kind {
        case .csv, .xml, .geojson:
            guard let point = name.text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return name }
            return Name(name.text[..<point])
        case .media: return name
        }
    }
}
