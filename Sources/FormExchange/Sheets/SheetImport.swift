import DocumentValues
import FormLogic

/// Makes a form of the sheets of a workbook, and reports all that is wrong in them.
package enum SheetImport {
    private static let survey = Name("survey")
    private static let known = ["survey", "choices", "settings", "external_choices", "entities"]

    /// Whether a sheet of this name is read.
    package static func isWanted(_ name: String) -> Bool { known.contains(canonical(name)) }

    private static func canonical(_ name: String) -> String {
        name.trimmingSpaces.lowercased().split(atByte: " ").joined(separator: "_")
    }

    /// - Throws: `FormFileError` where the workbook has no survey.
    package static func form(of book: Workbook, options: FormImportOptions) throws(FormFileError) -> FormReading {
        var sheets: [Name: Sheet] = [:]
        for sheet in book.sheets where sheets[Name(canonical(sheet.name))] == nil {
            sheets[Name(canonical(sheet.name))] = sheet
        }
        // In a workbook of one sheet, this is the survey.
        if sheets[survey] == nil, book.sheets.count == 1, book.others.isEmpty { sheets[survey] = book.sheets[0] }
        guard sheets[survey] != nil else {
            throw FormFileError(.noSheet(book.sheets.map(\.name) + book.others), file: options.file)
        }
        var work = SheetWork(book: book, sheets: sheets, options: options)
        work.reportOthers(known: known)
        work.reportDefects()
        return work.form()
    }
}

/// The tables of one form while it is put together.
private struct SheetWork {
    let book: Workbook
    let sheets: [Name: Sheet]
    let options: FormImportOptions
    var findings = FormFindings()

    init(book: Workbook, sheets: [Name: Sheet], options: FormImportOptions) {
        self.book = book
        self.sheets = sheets
        self.options = options
    }

    /// A sheet with almost the name of a known one is probably misspelled.
    mutating func reportOthers(known: [String]) {
        let names = book.others + book.sheets.map(\.name)
        for name in names where !name.hasPrefix("_") && !SheetImport.isWanted(name) {
            guard let near = NearName.nearest(name, among: known), sheets[Name(near)] == nil else { continue }
            findings.add(
                FormFinding(
                    .ignored, at: .file, message: "the sheet '\(name)' is not read.", hint: "Did you mean '\(near)'?"))
        }
    }

    /// A quotation mark that is missing makes one cell of many rows.
    mutating func reportDefects() {
        for (name, sheet) in sheets where SheetImport.isWanted(name.text) {
            for row in sheet.rows {
                guard let defect = row.defect else { continue }
                let message =
                    switch defect {
                    case .unclosedQuote: "a quotation mark is opened here and never closed."
                    case .textAfterQuote: "text follows the quotation mark that ends a cell."
                    }
                findings.add(
                    FormFinding(
                        .unreadable, at: .row(sheet: name, row: row.number, heading: nil), message: message,
                        hint: "Write a quotation mark in a quoted cell twice; rows behind this one may be in it."))
            }
        }
    }

    mutating func form() -> FormReading {
        let settingsTable: SheetTable<SettingsColumn>? = table("settings", collapsesSpaces: false)
        let cleans = settingsTable?.rows.first?[.cleanTextValues].flatMap { TruthText.value(of: $0) } ?? true
        let survey: SheetTable<SurveyColumn>? = table("survey", collapsesSpaces: cleans)
        let choices: SheetTable<ChoicesColumn>? = table("choices", collapsesSpaces: false)
        let external: SheetTable<ChoicesColumn>? = table("external_choices", collapsesSpaces: false)
        let entities: SheetTable<EntitiesColumn>? = table("entities", collapsesSpaces: false)
        var settings = SettingsReader(options: options, table: settingsTable)
        let headers = (survey?.textHeaders ?? []) + (choices?.textHeaders ?? []) + (external?.textHeaders ?? [])
        let languages = SheetLanguages(headers: headers, chosen: settings.defaultLanguage)

        var surveyReader = SurveyReader(options: options, languages: languages)
        if let survey { surveyReader.read(survey) }
        var choicesReader = ChoicesReader(languages: languages)
        if let choices { choicesReader.read(choices) }
        if let external { choicesReader.read(external, isExternal: true) }
        choicesReader.addOther(to: surveyReader.othersLists)
        var entitiesReader = EntitiesReader()
        if let entities { entitiesReader.read(entities) }

        let nodes = ExternalLists.renamed(surveyReader.tree.roots, names: choicesReader.renamed)
        var form = Form(id: options.formID ?? options.derivedID, nodes: nodes)
        settings.read(into: &form, languages: languages)
        form.lists = choicesReader.lists
        form.entities = entitiesReader.entities
        form.files = FormFiles.all(of: form)
        if !surveyReader.skipped.isEmpty {
            form.nodes.insert(SkippedQuestions.note(surveyReader.skipped, in: form), at: 0)
        }
        reportEmpty(form, survey: survey)
        reportFallback(languages, survey: survey)
        for found in [settings.findings, surveyReader.findings, choicesReader.findings, entitiesReader.findings] {
            findings.merge(found)
        }
        var positions = SheetPositions.of(form, survey: survey, choices: choicesReader, languages: languages)
        FormFiles.notePositions(of: form, in: &positions)
        return FormReading(
            form: form, positions: positions, findings: findings, isPartial: surveyReader.isPartial)
    }

    private mutating func table<Column: SheetColumn>(
        _ name: Name, collapsesSpaces: Bool
    ) -> SheetTable<Column>? {
        sheets[name].map {
            SheetTable(
                $0, named: name, layout: book.layout, collapsesSpaces: collapsesSpaces, findings: &findings)
        }
    }

    private mutating func reportFallback(_ languages: SheetLanguages, survey: SheetTable<SurveyColumn>?) {
        guard languages.unnamed == SheetLanguages.fallback, let survey else { return }
        findings.add(
            FormFinding(
                .missingTranslation, at: survey.origin.position(row: 1, column: 0, header: nil),
                message: "texts under headers without a language are shown where a translation is missing.",
                hint: "Name their language in the headers, such as 'label::English (en)'."))
    }

    private mutating func reportEmpty(_ form: Form, survey: SheetTable<SurveyColumn>?) {
        guard let survey else { return }
        let hasType = survey.columns.contains { column in
            if case .column(.type, _) = column.use { true } else { false }
        }
        guard form.nodes.isEmpty || !hasType else { return }
        findings.add(
            FormFinding(
                .badStructure, at: survey.origin.position(row: 1, column: 0, header: nil),
                message: hasType ? "the survey has no questions." : "the survey has no column 'type'.",
                hint: hasType ? nil : "Its first row holds the headers: type, name, label."))
    }
}
