import DocumentValues
import FormLogic

/// Reads the first row of the settings.
struct SettingsReader {
    let options: FormImportOptions
    private let table: SheetTable<SettingsColumn>?
    private let row: TableRow<SettingsColumn>?
    private(set) var findings = FormFindings()

    init(options: FormImportOptions, table: SheetTable<SettingsColumn>?) {
        self.options = options
        self.table = table
        row = table?.rows.first
    }

    var defaultLanguage: String? { row?[.defaultLanguage] }

    mutating func read(into form: inout Form, languages: SheetLanguages) {
        form.languages = languages.languages
        form.defaultLanguage = languages.standard
        guard let row else { return }
        if let id = row[.formID], options.formID == nil { form.id = Name(id) }
        form.title = title(row, languages: languages) ?? .plain(form.id.text)
        form.version = row[.version] ?? ""
        form.instanceName = row[.instanceName]
        if let root = row[.name] { form.root = Name(root) }
        form.settings = settings(row)
        if let second = table?.rows.dropFirst().first {
            findings.add(
                FormFinding(.ignored, at: second.position(), message: "only the first row of the settings is read."))
        }
        if let language = defaultLanguage, languages.standard == nil, !languages.languages.isEmpty {
            findings.add(
                FormFinding(
                    .missingTranslation, at: row.position(.defaultLanguage),
                    message: "no column is in the language '\(language)'.",
                    hint: "Write one of \(languages.languages.map { "'\($0.name)'" }.joined(separator: ", "))."))
        }
        readEncryption(row)
    }

    /// In the default language, the title that other programs read is the one that is edited.
    private func title(_ row: TableRow<SettingsColumn>, languages: SheetLanguages) -> FormText? {
        let title = row.text(.formTitle, languages: languages)
        guard let translated = row.text(.translatedTitle, languages: languages) else { return title }
        guard case .plain(let text)? = title, case .translated(var translations) = translated,
            let standard = languages.standard ?? languages.languages.first?.code,
            let index = translations.firstIndex(where: { $0.language == standard })
        else { return translated }
        translations[index].text = text
        return FormText(translations, languages: languages.languages)
    }

    private mutating func settings(_ row: TableRow<SettingsColumn>) -> FormSettings {
        var settings = FormSettings()
        settings.allowChoiceDuplicates = flag(.allowChoiceDuplicates, row: row)
        settings.clientEditable = flag(.clientEditable, row: row)
        settings.omitInstanceID = flag(.omitInstanceID, row: row)
        settings.style = row[.style]
        var kept: [JSONObject.Member] = []
        for column in SettingsColumn.allCases where column.isOnlyKept {
            guard let text = row[column] else { continue }
            kept.append(JSONObject.Member(key: column.rawValue, value: .string(text)))
        }
        settings.rest = JSONObject(members: kept)
        return settings
    }

    private mutating func flag(_ column: SettingsColumn, row: TableRow<SettingsColumn>) -> Bool {
        guard let text = row[column] else { return false }
        if let flag = TruthText.value(of: text) { return flag }
        findings.add(
            FormFinding(
                .badParameter, at: row.position(column), message: "'\(text)' is neither yes nor no.", hint: "Write one."
            ))
        return false
    }

    private mutating func readEncryption(_ row: TableRow<SettingsColumn>) {
        guard row.has(.publicKey) else { return }
        let position = row.position(.publicKey)
        if options.ignoresEncryption {
            findings.add(
                FormFinding(
                    .ignored, at: position,
                    message: "records are not encrypted with this key: the vault and the gateway seal them."))
        } else {
            findings.add(
                FormFinding(
                    .unsupported, at: position, message: "records cannot be encrypted for this key.",
                    hint: "Import with --ignore-encryption: the vault and the gateway seal records otherwise."))
        }
    }
}
