import DocumentValues

extension Choice {
    static func read(_ object: JSONObject, path: String) -> (choice: Choice, problems: [FormProblem]) {
        var reader = MemberReader(object, path: path)
        let name = reader.name("name")
        if name == nil, object["name"] == nil { reader.report("is missing", at: "name") }
        var choice = Choice(name: name ?? "")
        choice.label = reader.formText("label")
        choice.media = reader.media("media") ?? FormMedia()
        choice.columns = reader.namedTexts("columns") ?? []
        choice.sourceRow = reader.row("source_row")
        choice.rest = reader.rest
        return (choice, reader.problems)
    }

    package var object: JSONObject {
        var writer = MemberWriter()
        writer.add("name", name: name)
        writer.add("label", formText: label)
        writer.add("media", media: media)
        writer.add("columns", named: columns)
        writer.add("source_row", row: sourceRow)
        return writer.object(with: rest)
    }
}

extension ChoiceList {
    /// Reads the choices of a list; those of one that is a blob are the same array.
    package static func readChoices(
        _ objects: [JSONObject], path: String
    ) -> (choices: [Choice], problems: [FormProblem]) {
        var result: (choices: [Choice], problems: [FormProblem]) = ([], [])
        for (index, object) in objects.enumerated() {
            let read = Choice.read(object, path: "\(path)[\(index)]")
            result.choices.append(read.choice)
            result.problems += read.problems
        }
        return result
    }

    static func read(_ member: JSONObject.Member, path: String) -> (list: ChoiceList, problems: [FormProblem])? {
        let name = Name(member.key)
        if let objects = member.value.objects {
            let read = readChoices(objects, path: path)
            return (ChoiceList(name: name, choices: read.choices), read.problems)
        }
        guard let blob = member.value["blob"].flatMap({ BlobMetadata(formMember: $0) }),
            member.value.objectValue?.count == 1
        else { return nil }
        return (ChoiceList(name: name, content: .blob(blob)), [])
    }

    var json: JSONValue {
        switch content {
        case .choices(let choices): .array(choices.map { .object($0.object) })
        case .blob(let blob): ["blob": .object(blob.object)]
        }
    }
}

extension FormFile {
    static func read(_ member: JSONObject.Member, path: String) -> (file: FormFile, problems: [FormProblem])? {
        guard let object = member.value.objectValue else { return nil }
        var reader = MemberReader(object, path: path)
        let name = Name(member.key)
        let kind = reader.take("kind", or: "must be csv, xml, geojson or media") {
            $0.stringValue.flatMap { Kind(exactly: $0) }
        }
        let blob = reader.take("blob", or: "must be a blob with its digest") { BlobMetadata(formMember: $0) }
        return (
            FormFile(name: name, kind: kind ?? Kind(fileName: name), blob: blob, rest: reader.rest), reader.problems
        )
    }

    var json: JSONValue {
        var writer = MemberWriter()
        writer.add("kind", text: kind.rawValue)
        writer.add("blob", value: blob.map { .object($0.object) })
        return .object(writer.object(with: rest))
    }
}

extension BlobMetadata {
    /// With the mark of a blob or without it.
    init?(formMember value: JSONValue) {
        if let object = value.objectValue, let blob = BlobMetadata(object) {
            self = blob
        } else {
            self.init(attachment: value)
        }
    }
}
