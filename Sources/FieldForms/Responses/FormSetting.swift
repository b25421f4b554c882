import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

/// What filling a form takes from outside: the clock, the zone, the language, the person, and a seed of random numbers.
package struct FormSetting: Sendable {
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64
    package var zone: any FormZone
    /// `nil` for that of the form.
    package var language: Name?
    package var author: Author
    package var seed: UInt64
    /// `username`, `deviceid` and so on, as questions for them are called.
    package var properties: [Name: String]

    package init(
        now: @escaping @Sendable () -> Int64, zone: any FormZone, language: Name? = nil, author: Author, seed: UInt64,
        properties: [Name: String] = [:]
    ) {
        self.now = now
        self.zone = zone
        self.language = language
        self.author = author
        self.seed = seed
        self.properties = properties
    }

    /// The properties of a laptop and its user. Nothing is known of the user's addresses.
    ///
    /// - Throws: `SettingsError` where the folder's settings cannot be read or written.
    package static func properties(of folder: FieldFolder, user: String?) throws -> [Name: String] {
        let device = try FolderSettings.formDevice(of: folder)
        var properties: [Name: String] = ["deviceid": device, "uri:deviceid": device]
        if let user, !user.isEmpty {
            properties["username"] = user
            properties["uri:username"] = "username:" + user
        }
        return properties
    }

    func texts(of form: Form) -> FormTextLanguage {
        FormTextLanguage(chosen: language ?? form.language, fallback: form.language)
    }

    /// Reads a form's rules, for a record without answers.
    ///
    /// - Throws: `FormFileError` for a table beside the form that cannot be read.
    package func evaluator(for loaded: LoadedForm, lastSaved: JSONObject? = nil) throws -> FormEvaluator {
        let program = FormProgram(loaded.form)
        let language = texts(of: loaded.form).chosen
        var instances = try loaded.instances(language: language)
        if let lastSaved {
            let record = Record.read(lastSaved, outline: program.outline) { "last" }.record
            instances[ReferenceResolver.lastSaved] = .document(TreeInstance(root: InstanceElement(lastSaved: record)))
        }
        let state = FunctionState(
            conversions: Conversions(zone: zone), now: now(), language: language, random: FormRandom(seed: seed))
        return FormEvaluator(
            program: program, record: Record(program.outline), instances: instances, state: state,
            properties: properties)
    }
}
