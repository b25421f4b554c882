import DocumentValues

/// Reads a definition: a form and everything that is wrong in its members. A member that cannot be read is kept in the
/// `rest` of its part, so that the definition can be written again without a loss.
package enum FormReader {

    package static func read(_ object: JSONObject) -> (form: Form, problems: [FormProblem]) {
        var reader = MemberReader(object, path: "")
        if let type = reader.text("type"), type != Form.type { reader.report("'\(type)' is no form", at: "type") }
        if let schema = reader.take("schema", or: "must be a number", read: { $0.integerValue }), schema != Form.schema
        {
            reader.report("must be \(Form.schema)", at: "schema")
        }
        let id = reader.name("form")
        if id == nil, object["form"] == nil { reader.report("is missing", at: "form") }
        var form = Form(id: id ?? "")
        form.version = reader.text("version") ?? ""
        form.title = reader.formText("title") ?? form.title
        form.root = reader.name("root") ?? form.root
        form.instanceName = reader.text("instance_name")
        form.source = reader.take("source", or: "must be an object") { $0.objectValue }
        form.statedDigest = reader.text("digest")
        form.readLanguages(from: &reader)
        form.readParts(from: &reader)
        form.readRecord(from: &reader)
        let objects = reader.objects("nodes") ?? []
        let read = FormNode.readAll(objects, path: "nodes", depth: 0)
        form.nodes = read.nodes
        reader.add(read.problems)
        form.rest = reader.rest
        return (form, reader.problems)
    }
}

extension Form {
    fileprivate mutating func readLanguages(from reader: inout MemberReader) {
        languages =
            reader.take("languages", or: "must be a list of objects with code and name") { value in
                let languages = value.objects?.compactMap { object -> FormLanguage? in
                    guard let code = object["code"]?.stringValue, let name = object["name"]?.stringValue,
                        object.count == 2
                    else { return nil }
                    return FormLanguage(code: Name(code), name: name)
                }
                return languages?.count == value.arrayValue?.count ? languages : nil
            } ?? []
        defaultLanguage = reader.name("default_language")
    }

    fileprivate mutating func readParts(from reader: inout MemberReader) {
        settings =
            reader.take("settings", or: "must be an object") { $0.objectValue }.map { object in
                let read = FormSettings.read(object, path: "settings")
                reader.add(read.problems)
                return read.settings
            } ?? FormSettings()
        var problems: [FormProblem] = []
        lists =
            reader.take("lists", or: "must be an object with a list of choices for each name") { value in
                Self.all(value.objectValue) { member in
                    ChoiceList.read(member, path: "lists.\(member.key)").map { list, found in
                        problems += found
                        return list
                    }
                }
            } ?? []
        files =
            reader.take("files", or: "must be an object with an object for each file") { value in
                Self.all(value.objectValue) { member in
                    FormFile.read(member, path: "files.\(member.key)").map { file, found in
                        problems += found
                        return file
                    }
                }
            } ?? []
        texts =
            reader.take("texts", or: "must be an object of texts") { value in
                Self.all(value.objectValue) { member in
                    FormText(member.value).map { FormTextEntry(id: Name(member.key), text: $0) }
                }
            } ?? []
        reader.add(problems)
        for (index, object) in (reader.objects("entities") ?? []).enumerated() {
            let read = FormEntity.read(object, path: "entities[\(index)]")
            entities.append(read.entity)
            reader.add(read.problems)
        }
    }

    /// `nil` if one of them cannot be read.
    private static func all<Part>(_ object: JSONObject?, read: (JSONObject.Member) -> Part?) -> [Part]? {
        guard let object else { return nil }
        var parts: [Part] = []
        for member in object.members {
            guard let part = read(member) else { return nil }
            parts.append(part)
        }
        return parts
    }

    fileprivate mutating func readRecord(from reader: inout MemberReader) {
        record =
            reader.take("record", or: "must be response, or an inspection with its members") { value in
                if value.stringValue == "response" { return RecordBinding.response }
                guard value.objectValue?.count == 1, let bound = value["inspection"]?.namedTexts else { return nil }
                return .inspection(bound)
            } ?? .response
    }
}

extension FormSettings {
    static func read(_ object: JSONObject, path: String) -> (settings: FormSettings, problems: [FormProblem]) {
        var reader = MemberReader(object, path: path)
        var settings = FormSettings()
        settings.clientEditable = reader.flag("client_editable") ?? false
        settings.allowChoiceDuplicates = reader.flag("allow_choice_duplicates") ?? false
        settings.omitInstanceID = reader.flag("omit_instance_id") ?? false
        settings.style = reader.text("style")
        settings.rest = reader.rest
        return (settings, reader.problems)
    }
}

extension FormEntity {
    static func read(_ object: JSONObject, path: String) -> (entity: FormEntity, problems: [FormProblem]) {
        var reader = MemberReader(object, path: path)
        let list = reader.name("list_name")
        if list == nil, object["list_name"] == nil { reader.report("is missing", at: "list_name") }
        var entity = FormEntity(listName: list ?? "", label: reader.text("label"))
        entity.entityID = reader.text("entity_id")
        entity.createIf = reader.text("create_if")
        entity.updateIf = reader.text("update_if")
        entity.repeat = reader.name("repeat")
        entity.sourceRow = reader.row("source_row")
        entity.rest = reader.rest
        return (entity, reader.problems)
    }
}
