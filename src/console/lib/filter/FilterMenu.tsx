import { Chip } from "../../ui/Chip.tsx";
import { Menu, MenuChoice, MenuChoices } from "../../ui/Menu.tsx";
import { chipValue, type FilterProps } from "./FilterChip.tsx";

/** The choices of a filter, under its chip. */
export default function FilterMenu(props: FilterProps) {
  const { name, value, onChange, isByLabel = false } = props;
  const options = isByLabel
    ? props.options.toSorted((a, b) => a.label.localeCompare(b.label))
    : props.options;
  return (
    <Menu trigger={<Chip name={name} {...chipValue(props)} />} defaultOpen>
      <MenuChoices
        value={value ?? ""}
        onValueChange={(picked) => onChange(picked === "" ? undefined : picked)}
      >
        <MenuChoice value="">Any</MenuChoice>
        {options.map((option) => (
          <MenuChoice key={option.value} value={option.value}>
            {option.label}
          </MenuChoice>
        ))}
      </MenuChoices>
    </Menu>
  );
}
