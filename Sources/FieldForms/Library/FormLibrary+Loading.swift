import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

extension FormLibrary {
    /// A form by its name, by a unique beginning of it, or as `name@version`; without a version the current one.
    ///
    /// - Throws: `FormLibraryError` where there is none, or it cannot be read; `StoreError` where its lists cannot be read,
    ///   since the folder's passphrase is needed.
    package func load(_ text: String) throws -> LoadedForm {
        let found = try find(text)
        return try load(form: found.form, version: found.version)
    }

    /// Exactly this version: that of a draft.
    ///
    /// - Throws: as above.
    package func load(form: Name, version: String) throws -> LoadedForm {
        if let older = try older(form) {
            guard version == older.version else {
                throw FormLibraryError(.unknownVersion(version, known: [older.version]), form: form.text)
            }
            return LoadedForm(
                form: older, digest: older.digest, state: .open, current: older.version, files: [:], missing: [])
        }
        var loaded = try definition(FormReference(form: form, version: version))
        let digest = loaded.statedDigest ?? loaded.digest
        var content = FormContent(of: field.database)
        try content.fillLists(of: &loaded)
        let files = try content.tables(of: loaded)
        let head = try head(form)
        return LoadedForm(
            form: loaded, digest: digest, state: head?.state ?? .open, current: head?.current ?? version, files: files,
            missing: content.missing)
    }

    /// The same without long lists and files, for which no passphrase is needed.
    ///
    /// - Throws: `FormLibraryError` as above.
    package func outlined(_ text: String) throws -> OutlinedForm {
        let found = try find(text)
        if let older = try older(found.form) {
            return OutlinedForm(form: older, digest: older.digest, state: .open, current: older.version)
        }
        let form = try definition(found)
        let head = try head(found.form)
        return OutlinedForm(
            form: form, digest: form.statedDigest ?? form.digest, state: head?.state ?? .open,
            current: head?.current ?? form.version)
    }

    /// The bytes of a file beside a form; `nil` where they are not here yet.
    ///
    /// - Throws: `StoreError` where the folder's passphrase is needed.
    package func content(of file: FormFile) throws -> [UInt8]? {
        try file.blob.flatMap { try field.database.blobStorage().read($0.digest) }
    }

    /// All forms of schema 1. The questions of others, which may be many, are not read for them.
    func olderForms() throws -> [Form] {
        try ids(where: "schema IS NOT VALUED OR schema < \(FormDocument.schemaVersion)").compactMap { id in
            try older(Name(id))
        }
    }

    /// A form of schema 1; `nil` where the id is that of no form, or of a later one.
    func older(_ form: Name) throws -> Form? {
        try field.forms.findReadable(form.text).map { Form(olderForm: $0) }
    }
}

/// Reads the lists and files of a form that are kept beside its definition.
struct FormContent {
    private let database: Database
    /// Files, and lists that are blobs, whose bytes are not here.
    private(set) var missing: [Name] = []

    init(of database: Database) { self.database = database }

    mutating func fillLists(of form: inout Form) throws {
        for index in form.lists.indices {
            guard case .blob(let blob) = form.lists[index].content else { continue }
            let name = form.lists[index].name
            guard let bytes = try database.blobStorage().read(blob.digest) else {
                missing.append(name)
                continue
            }
            form.lists[index].choices = try Self.choices(bytes, list: name, form: form.id)
        }
    }

    private static func choices(_ bytes: [UInt8], list: Name, form: Name) throws -> [Choice] {
        let objects = (try? JSONValue(parsing: bytes))?.arrayValue?.compactMap(\.objectValue)
        guard let objects else {
            throw FormLibraryError(.damaged(["the list '\(list.text)' is no list of choices"]), form: form.text)
        }
        let read = ChoiceList.readChoices(objects, path: "lists.\(list.text)")
        guard read.problems.isEmpty else {
            throw FormLibraryError(.damaged(read.problems.map(\.description)), form: form.text)
        }
        return read.choices
    }

    /// The bytes of files in which expressions look up rows; those of pictures and sounds are read when they are shown.
    mutating func tables(of form: Form) throws -> [Name: [UInt8]] {
        var tables: [Name: [UInt8]] = [:]
        for file in form.files {
            guard let blob = file.blob else {
                missing.append(file.name)
                continue
            }
            switch file.kind {
            case .media:
                if try !database.blobStorage().contains(blob.digest) { missing.append(file.name) }
            case .csv, .xml, .geojson:
                if let bytes = try database.blobStorage().read(blob.digest) {
                    tables[file.name] = bytes
                } else {
                    missing.append(file.name)
                }
            }
        }
        return tables
    }
}
