import DocumentValues
import FormExchange
import FormLogic

extension FuzzTarget {
    /// A form in YAML: what is read without a fault is written and read as the same form, and checked.
    static let formYAML = FuzzTarget(name: "form-yaml", seeds: { formYAMLSeeds.map { Array($0.utf8) } }) { bytes in
        let reading = FormYAML.read(text(bytes))
        let findings = FormChecker.findings(of: reading)
        for finding in findings.shown {
            check(!finding.text.isEmpty && finding.position >= .file, "a finding without a text")
        }
        check(findings.shown.count <= CheckLimits.findings, "too many findings are shown")
        guard !findings.hasErrors else { throw UnreadForm() }
        let again = FormYAML.read(FormYAML.write(reading.form))
        check(again.findings.isEmpty, "what was written is not read")
        check(again.form.digest == reading.form.digest, "a form changes by being written")
        check(FormProgram(again.form).problems.isEmpty, "an expression that was checked cannot be used")
    }

    private struct UnreadForm: Error {}

    private static let formYAMLSeeds = [
        """
        form: f
        version: 1
        title: {en: Visit, de: "Besuch, 'der'"}
        languages: {en: English, de: Deutsch}
        instance_name: concat(${name}, ' ', ${day})
        lists:
          kind: {a: {en: A, de: B}, b: }
          town: [{name: x, label: X, region: n}, {name: y, region: s}]
        files: [t.csv]
        questions:
          - start started
          - text name: {en: Name, de: Name}
            required: yes
            default: ${last-saved#name}
          - date day: Day
            constraint: . <= today()
          - select_one kind or_other source: Kind
          - select_one town where: Town
            choice_filter: region = 'n'
          - select_multiple_from_file t.csv many: Many
          - repeat point: Point
            repeat_count: if(${source} = 'a', 1, 2)
            questions:
              - decimal depth: |
                  Depth
                  in metres
                relevant: ${source} = 'a'
              - calculate before:
                calculation: ${depth} = ../../point[position() = position(current()/..) - 1]/depth
          - note sum: "${total} of them"
          - calculate total: >-
              ${day}
            calculation: count(${point}[depth > 1])
        entities: [{list_name: points, label: "${name}", create_if: yes}]
        """,
        "form: f\nquestions:\n- group g: G\n  appearance: field-list\n  questions:\n  - today a\n  - audit audit:\n"
            + "    parameters: {track-changes: true}\n",
        "form: f\nrecord: inspection\nbind: {site: s}\ntexts: {'/a:label': b}\nsettings: {x: y}\nquestions:\n"
            + "- text s: S\n- today t\n",
    ]
}
